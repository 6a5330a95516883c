package io.github.checktoken.login.evidence;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.utils.AcrUtils;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;

/**
 * The level that the realm gives to what an identity provider has told of a login, with all lower ones of the realm.
 *
 * @param value null if there is none
 * @param times empty if there is none
 */
public record ProviderLevel(Integer value, LevelTimes times) {

    private static final ProviderLevel NONE = new ProviderLevel(null, new LevelTimes(Map.of()));

    public static ProviderLevel of(KeycloakSession session, AuthenticationSessionModel authSession) {
        UserModel user = authSession.getAuthenticatedUser();
        return user == null
                ? NONE
                : IdentityProviderReport.level(session, authSession, user)
                        .map(level -> new ProviderLevel(level, times(authSession.getRealm(), level)))
                        .orElse(NONE);
    }

    /** A level counts as reached now, as methods of a provider do. */
    private static LevelTimes times(RealmModel realm, int level) {
        int now = CurrentTime.seconds();
        return new LevelTimes(Stream.concat(AcrUtils.getAcrLoaMap(realm).values().stream(), Stream.of(level))
                .filter(lower -> lower > 0 && lower <= level)
                .distinct()
                .collect(Collectors.toMap(lower -> lower, lower -> now)));
    }

    /**
     * Called at the end of each request. While the post login flow is due, its conditions find the level as one that was
     * reached before, so they do not ask for it again.
     */
    static void noteForPostLoginFlow(KeycloakSession session, AuthenticationSessionModel authSession) {
        if (IdentityProviderLogin.waitsForPostLoginFlow(authSession)) {
            ProviderLevel level = of(session, authSession);
            LevelTimes noted = LevelTimes.parse(authSession.getAuthNote(Constants.LOA_MAP));
            if (level.value != null && !noted.times().containsKey(level.value)) {
                authSession.setAuthNote(Constants.LOA_MAP, JsonNote.write(noted.plus(level.times)));
            }
        }
    }
}
