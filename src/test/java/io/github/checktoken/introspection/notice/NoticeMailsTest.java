package io.github.checktoken.introspection.notice;

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
import io.github.checktoken.support.Fake;
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
        RealmModel realm = Fake.of(RealmModel.class, (method, arguments) -> switch (method) {
            case "getDisplayName" -> null;
            case "getRealmLocalizationTextsByLocale" -> Map.of("keyNoticeSubject", "{0}");
            default -> realmId;
        });
        Theme theme = Fake.of(Theme.class, Map.of("getMessages", new Properties()));
        KeycloakContext context =
                Fake.of(KeycloakContext.class, Map.of("getRealm", realm, "resolveLocale", Locale.ENGLISH));
        ClientModel client = Fake.of(ClientModel.class, (method, arguments) -> switch (method) {
            case "getRealm" -> realm;
            case "getName" -> name;
            default -> clientId;
        });
        KeycloakSession session = Fake.of(KeycloakSession.class, (method, arguments) -> switch (method) {
            case "singleUseObjects" -> Fake.of(SingleUseObjectProvider.class, this::store);
            case "getProvider" -> Fake.of(EmailTemplateProvider.class, this::mail);
            case "theme" -> Fake.of(ThemeManager.class, Map.of("getTheme", theme));
            case "getContext" -> context;
            default -> throw new AssertionError(method);
        });
        AttemptLimit limit = new AttemptLimit(
                session, SlotNameHmac.with(new SecretKeySpec(new byte[64], "HmacSHA512")), "mail", 1, 86_400);
        run.send(session, client, clientId + "@example.org", NOTICE, limit);
    }

    private Object mail(String method, Object[] arguments) throws EmailException {
        if (!method.equals("send")) {
            if (arguments[0] instanceof UserModel user) {
                recipient = user.getEmail();
            }
            return null;
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

    private Object store(String method, Object[] arguments) {
        String key = (String) arguments[0];
        return switch (method) {
            case "contains" -> store.containsKey(key);
            case "putIfAbsent" -> store.putIfAbsent(key, (Long) arguments[1]) == null;
            case "remove" -> store.remove(key) == null ? null : Map.of();
            default -> throw new AssertionError(method);
        };
    }
}
