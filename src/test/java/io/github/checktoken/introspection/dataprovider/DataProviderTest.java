package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Which of a token's scopes a data provider is told, and what it learns without one. */
class DataProviderTest {

    @Test
    void onlyRegisteredScopesAreToldInTheOrderOfTheToken() {
        assertEquals("b a", dataProvider(Map.of()).registered("openid b c a"));
        assertEquals("", dataProvider(Map.of()).registered("openid c"));
    }

    /** Without a session, anything that looks at the person fails. */
    @Test
    void withoutOneOfItsScopesNothingIsLookedUpIfTheSettingIsOn() {
        DataProvider dataProvider = dataProvider(Map.of(DataProviderConfig.SCOPE_REQUIRED, "true"));
        assertEquals(DisclosedData.NOTHING, dataProvider.disclose(null, "openid c", null));
        assertThrows(NullPointerException.class, () -> dataProvider.disclose(null, "openid a", null));
    }

    @Test
    void withoutOneOfItsScopesThePersonIsLookedUpIfTheSettingIsOff() {
        DataProvider dataProvider = dataProvider(Map.of());
        assertThrows(NullPointerException.class, () -> dataProvider.disclose(null, "openid c", null));
    }

    private static DataProvider dataProvider(Map<String, String> settings) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId("mapper-id");
        mapper.setName("Data provider");
        mapper.setProtocolMapper(DataProviderMapper.PROVIDER_ID);
        mapper.setConfig(settings);
        ClientScopeModel scope = Fake.of(ClientScopeModel.class, Map.of());
        return DataProvider.of(Fake.of(
                        ClientModel.class,
                        Map.of(
                                "getProtocolMappersStream",
                                List.of(mapper),
                                "getClientScopes",
                                Map.of("a", scope, "b", scope))))
                .orElseThrow();
    }
}
