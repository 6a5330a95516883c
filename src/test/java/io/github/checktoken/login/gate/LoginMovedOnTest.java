package io.github.checktoken.login.gate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import javax.crypto.spec.SecretKeySpec;

import jakarta.ws.rs.core.MultivaluedHashMap;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.RequiredActionContext;
import org.keycloak.credential.CredentialProvider;
import org.keycloak.credential.hash.PasswordHashProvider;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.email.EmailTemplateProvider;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.http.HttpRequest;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.DefaultActionTokenKey;
import org.keycloak.models.KeyManager;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.PasswordPolicy;
import org.keycloak.models.RealmModel;
import org.keycloak.models.SingleUseObjectProvider;
import org.keycloak.models.SubjectCredentialManager;
import org.keycloak.models.ThemeManager;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.login.emailcode.EmailCodeAuthenticator;
import io.github.checktoken.login.gate.lock.RequestLock;
import io.github.checktoken.login.pin.ConfigurePin;
import io.github.checktoken.login.pin.PinAuthenticator;
import io.github.checktoken.login.pin.PinCredentialProviderFactory;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * While a step checks a secret of Anna, the login moves on and Bruno is named. What Anna has entered must count for
 * nobody. {@link RequestLock} lets the requests of a tab wait for each other, so {@link RequestsAtOnceIT} does not
 * notice a step that does not look again.
 */
class LoginMovedOnTest {

    /** What the fakes return, by the name of the method. Methods with other names return nothing. */
    private final Map<String, Function<Object[], Object>> answers = new HashMap<>();

    private final Map<String, String> notes = new HashMap<>();
    private final MultivaluedHashMap<String, String> form = new MultivaluedHashMap<>();
    private final List<String> results = new ArrayList<>();
    private final KeycloakSession session = fake(KeycloakSession.class);
    private final AuthenticationFlowContext flow = fake(AuthenticationFlowContext.class);
    private UserModel user = user("anna");
    private boolean hasPin = true;
    private Runnable duringCheck = () -> {};

    LoginMovedOnTest() {
        notes.put(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION, "step");
        notes.put(DefaultActionTokenKey.ACTION_TOKEN_USER_ID, "anna");
        KeyWrapper key = new KeyWrapper();
        key.setSecretKey(new SecretKeySpec(new byte[64], "HmacSHA512"));
        AuthenticationExecutionModel execution = new AuthenticationExecutionModel();
        execution.setId("step");
        Object realm = fake(RealmModel.class);
        Object authSession = fake(AuthenticationSessionModel.class);
        Map<String, Object> constants = new HashMap<>();
        constants.put("getSession", session);
        constants.put("getContext", fake(KeycloakContext.class));
        constants.put("getRealm", realm);
        constants.put("getAuthenticationSession", authSession);
        constants.put("getClient", fake(ClientModel.class));
        constants.put("getClientId", "post");
        constants.put("getName", "post");
        constants.put("getHttpRequest", fake(HttpRequest.class));
        constants.put("getDecodedFormParameters", form);
        constants.put("getExecution", execution);
        constants.put("form", fake(LoginFormsProvider.class));
        constants.put("getKeycloakSessionFactory", fake(KeycloakSessionFactory.class));
        constants.put("keys", fake(KeyManager.class));
        constants.put("getActiveKey", key);
        constants.put("singleUseObjects", fake(SingleUseObjectProvider.class));
        constants.put("theme", fake(ThemeManager.class));
        constants.put("getTheme", fake(Theme.class));
        constants.put("resolveLocale", Locale.ENGLISH);
        constants.put("getMessages", new Properties());
        constants.put("credentialManager", fake(SubjectCredentialManager.class));
        constants.put("isEmailVerified", true);
        constants.put("getEmail", "anna@example.org");
        constants.put("getRequiredActions", Set.of(ConfigurePin.PROVIDER_ID));
        constants.forEach((method, result) -> answers.put(method, arguments -> result));
        EventBuilder event = new FakeEvent((RealmModel) realm);
        answers.put("getEvent", arguments -> event);
        answers.put("getPasswordPolicy", arguments -> PasswordPolicy.parse(session, ""));
        answers.put("getUser", arguments -> user);
        answers.put("getAuthenticatedUser", arguments -> user);
        answers.put("getAuthNote", arguments -> notes.get((String) arguments[0]));
        answers.put("setAuthNote", arguments -> notes.put((String) arguments[0], (String) arguments[1]));
        answers.put("getProvider", arguments -> provider((Class<?>) arguments[0]));
        answers.put("isConfiguredFor", arguments -> hasPin);
        answers.put("putIfAbsent", arguments -> check(true));
        answers.put("isValid", arguments -> true);
        answers.put("encodedCredential", arguments -> check(PasswordCredentialModel.createFromValues("", null, 1, "")));
        answers.put("send", arguments -> form.put("code", List.of(code(arguments))));
        answers.put("createStoredCredential", arguments -> result("stored"));
        answers.put("success", arguments -> result("success"));
    }

    @Test
    void secretCountsIfNothingChanges() {
        enterCode();
        enterPin();
        choosePin();
        assertEquals(List.of("success", "success", "stored", "success"), results);
    }

    @Test
    void codeCountsForNobody() {
        assertCountsForNobody(this::enterCode);
    }

    @Test
    void pinCountsForNobody() {
        assertCountsForNobody(this::enterPin);
    }

    @Test
    void newPinIsStoredForNobody() {
        assertCountsForNobody(this::choosePin);
    }

    private void assertCountsForNobody(Runnable step) {
        duringCheck = () -> user = user("bruno");
        assertEquals(
                "expired_code",
                assertThrows(IllegalStateException.class, step::run).getMessage());
        assertEquals(List.of(), results);
    }

    private void enterCode() {
        Runnable later = duringCheck;
        duringCheck = () -> {};
        // Without a code, the step sends one.
        new EmailCodeAuthenticator().create(session).action(flow);
        duringCheck = later;
        new EmailCodeAuthenticator().create(session).action(flow);
    }

    private void enterPin() {
        form.putSingle("pin", "864209");
        new PinAuthenticator().create(session).action(flow);
    }

    private void choosePin() {
        hasPin = false;
        form.putSingle("pin-new", "864209");
        form.putSingle("pin-confirm", "864209");
        new ConfigurePin().create(session).processAction(fake(RequiredActionContext.class));
    }

    private Object result(String result) {
        results.add(result);
        return null;
    }

    private <T> T check(T result) {
        duringCheck.run();
        return result;
    }

    private Object provider(Class<?> type) {
        if (type == CredentialProvider.class) {
            return new PinCredentialProviderFactory().create(session);
        }
        return Set.of(EmailTemplateProvider.class, LoginFormsProvider.class, PasswordHashProvider.class)
                        .contains(type)
                ? fake(type)
                : null;
    }

    private static String code(Object[] mail) {
        return (String) ((Map<?, ?>) mail[mail.length - 1]).get("code");
    }

    private UserModel user(String id) {
        return Fake.of(
                UserModel.class,
                (method, arguments) -> method.equals("getId")
                        ? id
                        : answers.getOrDefault(method, ignored -> null).apply(arguments));
    }

    private <T> T fake(Class<T> type) {
        return Fake.of(
                type,
                (method, arguments) ->
                        answers.getOrDefault(method, ignored -> null).apply(arguments));
    }

    private final class FakeEvent extends EventBuilder {

        FakeEvent(RealmModel realm) {
            super(realm, session);
            event(EventType.LOGIN);
        }

        @Override
        public EventBuilder clone() {
            return this;
        }

        @Override
        public void error(String error) {
            throw new IllegalStateException(error);
        }
    }
}
