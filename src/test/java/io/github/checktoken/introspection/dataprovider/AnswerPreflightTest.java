package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;

import org.keycloak.models.KeyManager;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The realm has no key. */
class AnswerPreflightTest {

    @Test
    void keyForASupportedAlgorithmIsMissed() {
        assertEquals(List.of("checktokenNoRealmKey"), problems("ES256"));
    }

    @Test
    void keyWouldNotHelpIfTheAlgorithmIsNotSupported() {
        assertEquals(List.of("checktokenUnsupportedSetting"), problems("none"));
    }

    private static List<String> problems(String algorithm) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setConfig(Map.of(DataProviderConfig.SIGNATURE_ALGORITHM, algorithm));
        KeycloakSession session = Fake.of(
                KeycloakSession.class,
                Map.of(
                        "getContext",
                        Fake.of(KeycloakContext.class, Map.of()),
                        "keys",
                        Fake.of(KeyManager.class, Map.of())));
        return new AnswerPreflight(session, new DataProviderConfig(mapper))
                .problems().stream().map(AnswerPreflight.Problem::message).toList();
    }
}
