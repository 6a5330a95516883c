package io.github.checktoken.introspection.token;

import java.util.Optional;

import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.representations.AccessToken;

import io.github.checktoken.keycloak.EndedUserSession;

/**
 * Checks whether an access token is active for a data provider, with Keycloak's own checks ({@link KeycloakTokenCheck})
 * and these:
 *
 * <ul>
 *   <li>A token of a session that has ended is rejected, even if Keycloak still finds it: {@link EndedUserSession}.
 *   <li>A token of another person than the session's user is rejected: {@link SubjectCheck}.
 *   <li>A token without a session is rejected, with two exceptions: {@link SessionlessUserCheck}.
 *   <li>A token of an impersonated session is rejected, because somebody else acts as the user.
 *   <li>A token that was made from another one may be for one client alone: {@link DerivedTokenCheck}.
 *   <li>The data provider need not be in the audience, unless it names other ones: {@link AudienceCheck}.
 * </ul>
 */
public final class AccessTokenValidator {

    private final KeycloakSession session;
    private final EventBuilder event;
    private final ClientModel caller;
    private final KeycloakTokenCheck keycloaks;

    /** @param caller the data provider. The client in Keycloak's context may be another one during the check. */
    public AccessTokenValidator(KeycloakSession session, EventBuilder event, ClientModel caller) {
        this.session = session;
        this.event = event;
        this.caller = caller;
        this.keycloaks = new KeycloakTokenCheck(session, event);
    }

    /** @return the token with its acr and session; empty if it is not active, and the event has the reason */
    public Optional<ActiveToken> check(String encoded) {
        boolean active = keycloaks.passes(encoded)
                && (!hasEnded() || keycloaks.reject(Errors.USER_SESSION_NOT_FOUND, "The session has ended"))
                && rejection().map(keycloaks::reject).orElse(true);
        if (active) {
            return Optional.of(ActiveToken.of(keycloaks.token(), acr(), keycloaks.userSession(), keycloaks.client()));
        }
        RejectedToken.describe(session, keycloaks.token(), event);
        return Optional.empty();
    }

    private boolean hasEnded() {
        return EndedUserSession.hasEnded(
                session, session.getContext().getRealm(), keycloaks.userSession(), keycloaks.client());
    }

    private Optional<String> rejection() {
        return rejectionOfUser()
                .or(() -> ImpersonationCheck.isImpersonated(keycloaks.userSession())
                        ? Optional.of("Impersonated session")
                        : Optional.empty())
                .or(() -> new DerivedTokenCheck(session, caller)
                        .rejection(keycloaks.token(), origin(), keycloaks.client()))
                .or(this::rejectionOfAudience);
    }

    private Optional<String> rejectionOfUser() {
        AccessToken token = keycloaks.token();
        if (token.getSessionId() == null) {
            return SessionlessUserCheck.rejection(
                    session, keycloaks.context(), token, keycloaks.user(), keycloaks.client());
        }
        return new SubjectCheck(session, keycloaks.client()).accepts(token, keycloaks.userSession())
                ? Optional.empty()
                : Optional.of("Its subject is not the session's user");
    }

    /** A lightweight token need not contain the audience that the service provider's mappers give. */
    private Optional<String> rejectionOfAudience() {
        AudienceCheck check = new AudienceCheck(session, caller);
        AccessToken token = keycloaks.token();
        boolean incomplete = keycloaks.isLightweight() && !check.namesDataProvider(token.getAudience());
        return check.rejection((incomplete ? keycloaks.transformed() : token).getAudience());
    }

    private TokenOrigin origin() {
        return new TokenOrigin(
                keycloaks.token().getId(),
                keycloaks.context(),
                keycloaks
                        .userSession()
                        .getAuthenticatedClientSessionByClient(
                                keycloaks.client().getId()));
    }

    /**
     * The token's own claim first: what Keycloak computes for a lightweight token is the level of its last login. Null for a
     * service account: Keycloak's mapper reads a missing level as 1, as if a user had signed in.
     */
    private String acr() {
        return RecordedLevel.of(origin())
                .filter(recorded -> keycloaks.user().getServiceAccountClientLink() == null)
                .flatMap(recorded -> Optional.ofNullable(keycloaks.token().getAcr())
                        .or(() -> Optional.ofNullable(keycloaks.transformed().getAcr()))
                        .flatMap(acr -> new RealmAcr(keycloaks.client()).of(acr, recorded)))
                .orElse(null);
    }
}
