package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;

import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class AllOrganizationsContextTest {

    @Test
    void scopeWithTheMapperOfOrganizationsNamesAllOfThem() {
        ClientSessionContext context = Fake.of(
                ClientSessionContext.class,
                Map.of(
                        "getScopeString",
                        "openid organization address",
                        "getClientScopesStream",
                        List.of(
                                scope("organization", List.of(new ProtocolMapperModel())),
                                scope("address", List.of()))));
        assertEquals("openid organization:* address", new AllOrganizationsContext(context).getScopeString());
    }

    private static ClientScopeModel scope(String name, List<ProtocolMapperModel> mappersOfOrganizations) {
        return Fake.of(
                ClientScopeModel.class, Map.of("getName", name, "getProtocolMapperByType", mappersOfOrganizations));
    }
}
