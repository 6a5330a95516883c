package io.github.checktoken.login.evidence;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.authentication.AuthenticatorFactory;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The password form has succeeded. Its Authenticator Reference is {@code badge}. */
class NewEvidenceTest {

    private final Map<String, String> settings = new HashMap<>(Map.of("default.reference.value", " badge "));
    private String passwordValidated = "true";

    @Test
    void referenceReplacesTheMethodOfItsCredential() {
        assertEquals(Set.of("badge"), methods("password"));
    }

    @Test
    void referenceCountsOnlyIfItsCredentialWasUsed() {
        assertEquals(Set.of(), methods());
        assertEquals(Set.of("otp"), methods("otp"));
    }

    @Test
    void withoutAReferenceTheMethodIsThatOfTheCredential() {
        settings.clear();
        assertEquals(Set.of("pwd"), methods("password"));
    }

    /** Keycloak lists the password also for a username alone, and for a reset. */
    @Test
    void passwordThatWasNotValidatedIsNone() {
        passwordValidated = null;
        assertEquals(Set.of(), methods("password"));
        assertEquals(Set.of("otp"), methods("password", "otp"));
    }

    @Test
    void referenceWithAMaxAgeThatIsNoNumberIsLeftOut() {
        settings.put("default.reference.maxAge", "an hour");
        assertEquals(Set.of(), methods("password"));
    }

    private Set<String> methods(String... credentials) {
        AuthenticationExecutionModel execution = new AuthenticationExecutionModel();
        execution.setId("execution");
        execution.setAuthenticator("password-form");
        execution.setAuthenticatorConfig("config");
        AuthenticatorConfigModel config = new AuthenticatorConfigModel();
        config.setConfig(settings);
        RealmModel realm = Fake.of(
                RealmModel.class,
                Map.of("getAuthenticationExecutionById", execution, "getAuthenticatorConfigById", config));
        AuthenticatorFactory form = Fake.of(AuthenticatorFactory.class, Map.of("getReferenceCategory", "password"));
        KeycloakSessionFactory factory = Fake.of(KeycloakSessionFactory.class, Map.of("getProviderFactory", form));
        return new NewEvidence(
                        Fake.of(KeycloakSession.class, Map.of("getKeycloakSessionFactory", factory)),
                        Fake.of(
                                AuthenticationSessionModel.class,
                                (method, arguments) -> method.equals("getRealm") ? realm : passwordValidated),
                        List.of(credentials),
                        Set.of("execution"))
                .methods()
                .values();
    }
}
