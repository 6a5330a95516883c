package io.github.checktoken.introspection.dataprovider;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The salt of a mapper that is part of a client's JSON, which Keycloak has saved unchecked. */
class NewMapperSettingsTest {

    private final ProtocolMapperModel mapper = new ProtocolMapperModel();
    private final List<Object> saved = new ArrayList<>();

    NewMapperSettingsTest() {
        mapper.setId("mapper-id");
        mapper.setProtocolMapper(DataProviderMapper.PROVIDER_ID);
        mapper.setConfig(new HashMap<>());
    }

    @Test
    void mapperOfANewClientGetsItsIdAsTheSalt() {
        completeImport(true);
        assertEquals("mapper-id", mapper.getConfig().get(DataProviderConfig.SALT));
        assertEquals(List.of(mapper), saved);
    }

    /** It may be one that was lost. */
    @Test
    void blankSaltOfAnExistingClientStaysBlank() {
        completeImport(null);
        assertEquals(Map.of(), mapper.getConfig());
    }

    @Test
    void saltIsNeverReplaced() {
        mapper.getConfig().put(DataProviderConfig.SALT, "salt");
        completeImport(true);
        assertEquals(Map.of(DataProviderConfig.SALT, "salt"), mapper.getConfig());
        assertEquals(List.of(), saved);
    }

    @Test
    void otherMapperGetsNone() {
        mapper.setProtocolMapper(GivenNamesMapper.PROVIDER_ID);
        completeImport(true);
        assertEquals(Map.of(), mapper.getConfig());
    }

    private void completeImport(Object isNew) {
        NewMapperSettings.completeImport(
                Fake.of(KeycloakSession.class, (method, arguments) -> isNew),
                Fake.of(ClientModel.class, (method, arguments) -> switch (method) {
                    case "getProtocolMappersStream" -> List.of(mapper);
                    case "updateProtocolMapper" -> saved.add(arguments[0]);
                    default -> "dp";
                }));
    }
}
