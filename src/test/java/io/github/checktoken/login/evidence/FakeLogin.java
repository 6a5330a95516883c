package io.github.checktoken.login.evidence;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.common.Profile;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.support.Fake;

/** A login with notes in memory, and the session of its request, which keeps attributes. */
public final class FakeLogin {

    static {
        // Keycloak asks which features are on.
        Profile.defaults();
    }

    public final Map<String, String> authNotes = new HashMap<>();
    public final Map<String, String> clientNotes = new HashMap<>();
    public final Map<String, String> userSessionNotes = new HashMap<>();

    /** The providers of the request's session, by their interface. */
    public final Map<Object, Object> providers = new HashMap<>();

    /** What the other methods of the request's session return. */
    public final Map<String, Object> results = new HashMap<>();

    /** What the methods of the realm return. */
    public final Map<String, Object> realmResults = new HashMap<>();

    /** What the methods of the authentication session return that are not about its user and its notes. */
    public final Map<String, Object> authSessionResults = new HashMap<>();

    private final Map<Object, Object> attributes = new HashMap<>();
    private UserModel user;

    public final RealmModel realm = Fake.of(RealmModel.class, realmResults);

    public final KeycloakSession session = Fake.of(KeycloakSession.class, (method, arguments) -> switch (method) {
        case "getAttribute" -> attributes.get(arguments[0]);
        case "setAttribute" -> attributes.put(arguments[0], arguments[1]);
        case "getProvider" -> providers.get(arguments[0]);
        default -> results.get(method);
    });

    public final AuthenticationSessionModel authSession =
            Fake.of(AuthenticationSessionModel.class, (method, arguments) -> switch (method) {
                case "getAuthenticatedUser" -> user;
                case "setAuthenticatedUser" -> user = (UserModel) arguments[0];
                case "getRealm" -> realm;
                case "getTabId" -> "tab";
                case "getAuthNote" -> authNotes.get(arguments[0]);
                case "removeAuthNote" -> authNotes.remove(arguments[0]);
                case "setAuthNote" -> authNotes.put((String) arguments[0], (String) arguments[1]);
                case "getClientNote" -> clientNotes.get(arguments[0]);
                case "setClientNote" -> clientNotes.put((String) arguments[0], (String) arguments[1]);
                case "setUserSessionNote" -> setUserSessionNote((String) arguments[0], (String) arguments[1]);
                case "getUserSessionNotes" -> userSessionNotes;
                default -> authSessionResults.get(method);
            });

    /** Keycloak removes a note that is set to null. */
    private Object setUserSessionNote(String name, String value) {
        return value == null ? userSessionNotes.remove(name) : userSessionNotes.put(name, value);
    }

    public UserModel signIn(String id) {
        user = Fake.of(UserModel.class, Map.of("getId", id));
        return user;
    }
}
