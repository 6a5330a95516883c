package io.github.checktoken.keycloak;

import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

/** {@code ProtocolMapperRunner} relies on mappers being sorted by their priority, in whatever order they were added. */
@ExtendWith(KeycloakExtension.class)
class MapperOrderIT {

    private static final String HARDCODED_CLAIM = "oidc-hardcoded-claim-mapper";
    private static final String REALM_ROLES = "oidc-usermodel-realm-role-mapper";

    private final Federation federation;

    MapperOrderIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @ValueSource(strings = {HARDCODED_CLAIM, REALM_ROLES})
    void mapperOfRolesRunsAfterOneWithoutAPriority(String first) {
        String second = first.equals(REALM_ROLES) ? HARDCODED_CLAIM : REALM_ROLES;
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .telling("both")
                .mapper(first, CONFIG)
                .mapper(second, CONFIG)
                .create();
        String token = federation.town().signIn("camille", "openid").accessToken();
        assertInstanceOf(List.class, dataProvider.check(token).introspection().get("both"));
    }

    private static final Map<String, String> CONFIG = Map.of(
            "claim.name", "both",
            "claim.value", "a text",
            "jsonType.label", "String",
            "multivalued", "true",
            "introspection.token.claim", "true");
}
