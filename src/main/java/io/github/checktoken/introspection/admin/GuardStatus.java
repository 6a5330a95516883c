package io.github.checktoken.introspection.admin;

import java.util.Locale;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.checktoken.keycloak.LoginGuard;

/**
 * Whether the logins of a realm are guarded, as administrators see it.
 *
 * @param realmName the realm's name in plain words; left out if it has none
 * @param guarded whether they are to be guarded
 * @param reason why, or why not: one of {@link LoginGuard.Reason}, in lower case
 * @param methodsTold whether {@code amr} and our {@code acr} may be told in this realm
 * @param problem why this server can guard no logins, in English; then logins are refused if the guard is on. Left out if
 *     it can
 */
record GuardStatus(
        @JsonInclude(JsonInclude.Include.NON_NULL) String realmName,
        boolean guarded,
        String reason,
        boolean methodsTold,
        @JsonInclude(JsonInclude.Include.NON_NULL) String problem) {

    static GuardStatus of(KeycloakSession session, RealmModel realm) {
        LoginGuard guard = new LoginGuard(session);
        LoginGuard.Reason reason = guard.reason(realm);
        if (reason == LoginGuard.Reason.ABSENT) {
            return new GuardStatus(realm.getDisplayName(), false, "absent", false, null);
        }
        return new GuardStatus(
                realm.getDisplayName(),
                reason.isGuarded(),
                reason.name().toLowerCase(Locale.ROOT),
                guard.allowsToTell(realm),
                guard.problem().orElse(null));
    }
}
