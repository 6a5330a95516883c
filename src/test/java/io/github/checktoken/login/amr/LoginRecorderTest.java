package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.keycloak.cookie.CookieProvider;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.login.evidence.UserSessionMethodStore;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A login of Anna ends in a session that has a record. The realm accepts that its logins are not guarded. */
class LoginRecorderTest {

    private final FakeLogin login = new FakeLogin();
    private final UserModel anna = login.signIn("anna");
    private final Map<String, String> notes = new HashMap<>();
    private final Map<String, String> sessionNotes = new HashMap<>();

    LoginRecorderTest() {
        login.realmResults.put("getAttribute", "true");
        login.realmResults.put("getAccessCodeLifespan", 60);
        login.results.put("getContext", Fake.of(KeycloakContext.class, Map.of()));
        login.providers.put(CookieProvider.class, Fake.of(CookieProvider.class, Map.of()));
        login.authSessionResults.put("getClient", Fake.of(ClientModel.class, Map.of("getRealm", login.realm)));
        login.authNotes.put("level-of-authentication", "1");
    }

    /** Another one would be found by the code of another login. */
    @ParameterizedTest
    @CsvSource({"code, 1", "code id_token, 1", "id_token, 0", "token, 0", ", 0"})
    void onlyALoginThatIsAnsweredWithACodeIsKeptForOne(String responseType, int kept) {
        login.clientNotes.put("response_type", responseType);
        RecordedLogin recorded = record(anna);
        assertEquals("anna", recorded.user());
        assertEquals(1, recorded.level());
        assertEquals(kept, open());
    }

    /** The link of a mail can be opened with the address of another tab. */
    @Test
    void loginOfSomebodyElseIsNotRecorded() {
        login.clientNotes.put("response_type", "code");
        assertEquals(RecordedLogin.UNKNOWN, record(Fake.of(UserModel.class, Map.of("getId", "bruno"))));
        assertEquals(Set.of(), notes.keySet());
    }

    private RecordedLogin record(UserModel user) {
        UserSessionModel userSession = Fake.of(UserSessionModel.class, (method, arguments) -> switch (method) {
            case "getRealm" -> login.realm;
            case "getUser" -> user;
            case "getNote" -> sessionNotes.get(arguments[0]);
            case "setNote" -> sessionNotes.put((String) arguments[0], (String) arguments[1]);
            default -> null;
        });
        UserSessionMethodStore.replace(userSession, AuthenticationMethods.NONE);
        AuthenticatedClientSessionModel clientSession =
                Fake.of(AuthenticatedClientSessionModel.class, (method, arguments) -> switch (method) {
                    case "getNote" -> notes.get(arguments[0]);
                    case "setNote" -> notes.put((String) arguments[0], (String) arguments[1]);
                    case "getNotes" -> notes;
                    case "getUserSession" -> userSession;
                    default -> null;
                });
        return new LoginRecorder(login.session, login.authSession).record(userSession, clientSession);
    }

    private long open() {
        return notes.keySet().stream()
                .filter(note -> note.startsWith("checktoken.amr.open."))
                .count();
    }
}
