package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which of a token's scopes a data provider is told, and what it learns without one. */
class DataProviderTest {

    @Test
    void onlyRegisteredScopesAreToldInTheOrderOfTheToken() {
        assertEquals("b a", dataProvider(Map.of()).registered("openid b c a"));
        assertEquals("", dataProvider(Map.of()).registered("openid c"));
    }

    /** Its mappers run for each token, so it would say nothing. */
    @Test
    void defaultClientScopeIsNotTold() {
        assertEquals("a", dataProvider(Map.of()).registered("default a"));
    }

    @Test
    void publicClientIsNoDataProvider() {
        assertTrue(DataProvider.of(client(Map.of(), false)).isPresent());
        assertEquals(Optional.empty(), DataProvider.of(client(Map.of(), true)));
        assertTrue(DataProvider.withMapper(client(Map.of(), true)).isPresent());
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
        return DataProvider.of(client(settings, false)).orElseThrow();
    }

    private static ClientModel client(Map<String, String> settings, boolean isPublic) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId("mapper-id");
        mapper.setName("Data provider");
        mapper.setProtocolMapper(DataProviderMapper.PROVIDER_ID);
        mapper.setConfig(settings);
        ClientScopeModel scope = Fake.of(ClientScopeModel.class, Map.of());
        return Fake.of(ClientModel.class, (method, arguments) -> switch (method) {
            case "getProtocolMappersStream" -> List.of(mapper);
            case "getClientScopes" ->
                (boolean) arguments[0] ? Map.of("default", scope) : Map.of("a", scope, "b", scope);
            case "isPublicClient" -> isPublic;
            default -> null;
        });
    }
}
