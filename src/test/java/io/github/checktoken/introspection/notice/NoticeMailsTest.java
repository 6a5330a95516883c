package io.github.checktoken.introspection.notice;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import javax.crypto.spec.SecretKeySpec;

import org.keycloak.email.EmailException;
import org.keycloak.email.EmailTemplateProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.SingleUseObjectProvider;
import org.keycloak.models.ThemeManager;
import org.keycloak.models.UserModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.limit.SlotNameHmac;
import io.github.checktoken.telemetry.FailureTracker;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** How many mails a run sends, and what it does if a mail server fails. */
class NoticeMailsTest {

    private static final Notice NOTICE = new Notice(Notice.Kind.KEY, "status 500");

    private final Map<String, Long> store = new HashMap<>();
    private final List<String> sent = new ArrayList<>();
    private final FailureTracker failures = new FailureTracker();
    private boolean mailServerFails;
    private int attempts;
    private String name;
    private String recipient;
    private Object calledInTheSubject;
    private Object calledInTheText;
    private NoticeMails run = new NoticeMails(failures);

    @Test
    void aDataProviderGetsOneMailADay() {
        send("realm", "client");
        send("realm", "client");
        nextRun();
        send("realm", "client");
        send("realm", "another");
        assertEquals(List.of("client", "another"), sent);
    }

    @Test
    void aRunTriesAFailingMailServerOnceAndTheNextRunSendsTheMail() {
        mailServerFails = true;
        send("realm", "first");
        send("realm", "second");
        assertEquals(1, attempts);

        mailServerFails = false;
        send("other realm", "third");
        nextRun();
        send("realm", "first");
        send("realm", "second");
        assertEquals(List.of("third", "first", "second"), sent);
    }

    @Test
    void aRunSendsFiftyMailsAndTheNextOneTheRest() {
        for (int client = 0; client < 60; client++) {
            send("realm", "client " + client);
        }
        assertEquals(50, sent.size());
        nextRun();
        for (int client = 0; client < 60; client++) {
            send("realm", "client " + client);
        }
        assertEquals(60, sent.size());
    }

    @Test
    void aDataProviderIsCalledByItsNameAndTheTextAlsoHasItsClientId() {
        name = "City\n library";
        send("realm", "dp-library");
        assertEquals("City library", calledInTheSubject);
        assertEquals("City library (dp-library)", calledInTheText);
    }

    @Test
    void aDataProviderWithoutANameIsCalledByItsClientId() {
        for (String none : new String[] {null, "", " "}) {
            name = none;
            send("realm", "dp-" + none);
            assertEquals(("dp-" + none).strip(), calledInTheSubject);
            assertEquals(calledInTheSubject, calledInTheText);
        }
    }

    private void nextRun() {
        run = new NoticeMails(failures);
    }

    private void send(String realmId, String clientId) {
        RealmModel realm = fake(RealmModel.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getDisplayName" -> null;
            case "getRealmLocalizationTextsByLocale" -> Map.of("keyNoticeSubject", "{0}");
            default -> realmId;
        });
        Theme theme = fake(Theme.class, (proxy, method, arguments) -> new Properties());
        KeycloakContext context = fake(
                KeycloakContext.class,
                (proxy, method, arguments) -> method.getName().equals("getRealm") ? realm : Locale.ENGLISH);
        ClientModel client = fake(ClientModel.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getRealm" -> realm;
            case "getName" -> name;
            default -> clientId;
        });
        KeycloakSession session = fake(KeycloakSession.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "singleUseObjects" -> fake(SingleUseObjectProvider.class, this::store);
            case "getProvider" -> fake(EmailTemplateProvider.class, this::mail);
            case "theme" -> fake(ThemeManager.class, (manager, getTheme, type) -> theme);
            case "getContext" -> context;
            default -> throw new AssertionError(method);
        });
        AttemptLimit limit = new AttemptLimit(
                session, SlotNameHmac.with(new SecretKeySpec(new byte[64], "HmacSHA512")), "mail", 1, 86_400);
        run.send(session, client, clientId + "@example.org", NOTICE, limit);
    }

    private Object mail(Object proxy, Method method, Object[] arguments) throws EmailException {
        if (!method.getName().equals("send")) {
            if (arguments[0] instanceof UserModel user) {
                recipient = user.getEmail();
            }
            return proxy;
        }
        attempts++;
        if (mailServerFails) {
            throw new EmailException("no connection");
        }
        sent.add(recipient.replace("@example.org", ""));
        calledInTheSubject = ((List<?>) arguments[1]).get(0);
        calledInTheText = ((Map<?, ?>) arguments[3]).get("dataProvider");
        return null;
    }

    private Object store(Object proxy, Method method, Object[] arguments) {
        String key = (String) arguments[0];
        return switch (method.getName()) {
            case "contains" -> store.containsKey(key);
            case "putIfAbsent" -> store.putIfAbsent(key, (Long) arguments[1]) == null;
            case "remove" -> store.remove(key) == null ? null : Map.of();
            default -> throw new AssertionError(method);
        };
    }

    private static <T> T fake(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
