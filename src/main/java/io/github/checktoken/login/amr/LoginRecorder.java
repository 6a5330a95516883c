package io.github.checktoken.login.amr;

import java.util.Optional;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.utils.OIDCResponseType;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.ClientSessionLevel;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.keycloak.RealmUse;
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.JsonNote;
import io.github.checktoken.login.evidence.LevelTimes;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.MaxAge;
import io.github.checktoken.login.evidence.ProviderLevel;
import io.github.checktoken.login.evidence.UserSessionMethodStore;

/** Records once, at the end of a login, who signed in, what the client requested, and the methods and the level. */
record LoginRecorder(KeycloakSession session, AuthenticationSessionModel authSession) {

    /**
     * Called when Keycloak reports the login, and earlier if a front-channel response (implicit or hybrid flow) has a
     * token with a claim of ours.
     *
     * <p>A login adds to the methods and levels of the single sign-on session. A forced re-authentication replaces
     * them.
     *
     * <p>If a link of a mail is opened with the address of another tab, Keycloak ends the login of the link, but has the
     * other tab in its context, in which somebody else may be signing in. Then nothing is recorded, nor if nothing reads it.
     * Once a session has a record, each of its logins has to add to it or to replace it.
     */
    RecordedLogin record(UserSessionModel userSession, AuthenticatedClientSessionModel clientSession) {
        RealmModel realm = userSession.getRealm();
        boolean isUsed = UserSessionMethodStore.isIn(userSession)
                || RealmUse.usesLogin(session, realm)
                || RealmUse.usesIntrospection(session, realm);
        boolean records = isUsed
                && new LoginGuard(session).allowsToTell(realm)
                && userSession.getUser().equals(authSession.getAuthenticatedUser());
        return LoginInProgress.of(session)
                .recordedOnce(() -> records ? recordNow(userSession, clientSession) : RecordedLogin.UNKNOWN);
    }

    private RecordedLogin recordNow(UserSessionModel userSession, AuthenticatedClientSessionModel clientSession) {
        LoginEvidence evidence = new LoginEvidence(session, authSession);
        Optional<UserSessionModel> continued = evidence.continuedSession().filter(userSession::equals);
        AuthenticationMethods earlier =
                continued.map(UserSessionMethodStore::of).orElse(AuthenticationMethods.NONE);
        if (continued.isPresent()) {
            UserSessionMethodStore.add(userSession, evidence.methods());
        } else {
            UserSessionMethodStore.replace(userSession, evidence.methods());
        }

        MaxAge maxAge = MaxAge.of(authSession);
        ProviderLevel provider = ProviderLevel.of(session, authSession);
        LoginLevel level = new LoginLevel(authSession, clientSession, evidence, provider, maxAge);
        LevelTimes before = LevelTimes.parse(userSession.getNote(Constants.LOA_MAP));
        saveLevels(userSession, continued.isPresent() ? before.plus(provider.times()) : level.times());
        ClientSessionLevel.record(clientSession, level.value());

        RecordedLogin login = new RecordedLogin(
                authSession.getAuthenticatedUser().getId(),
                level.value(),
                AcrValue.requested(authSession, level.value()),
                AmrClaimRequest.parse(authSession.getClientNote(OIDCLoginProtocol.CLAIMS_PARAM)),
                maxAge.limit(earlier).plus(evidence.methods()));
        if (isAnsweredWithCode()) {
            keepForCode(clientSession, login);
        }
        return login;
    }

    /**
     * Removes levels from Keycloak's notes that are neither of this login nor of the session that it continues, and adds
     * those of an identity provider.
     */
    private static void saveLevels(UserSessionModel userSession, LevelTimes levels) {
        if (levels.times().isEmpty()) {
            userSession.removeNote(Constants.LOA_MAP);
        } else if (!levels.equals(LevelTimes.parse(userSession.getNote(Constants.LOA_MAP)))) {
            userSession.setNote(Constants.LOA_MAP, JsonNote.write(levels));
        }
    }

    /**
     * Whether this login has a code. The others would be found by codes of other logins that have neither a nonce nor a
     * PKCE challenge: the approval of a device, a direct grant, the implicit flow.
     */
    private boolean isAnsweredWithCode() {
        String responseType = authSession.getClientNote(OIDCLoginProtocol.RESPONSE_TYPE_PARAM);
        return responseType != null && OIDCResponseType.parse(responseType).hasResponseType(OIDCResponseType.CODE);
    }

    private void keepForCode(AuthenticatedClientSessionModel clientSession, RecordedLogin login) {
        String key = RecordedLoginStore.codeKey(
                authSession.getClientNote(OIDCLoginProtocol.NONCE_PARAM),
                authSession.getClientNote(OIDCLoginProtocol.CODE_CHALLENGE_PARAM));
        new RecordedLoginStore(clientSession)
                .addCode(key, login, authSession.getRealm().getAccessCodeLifespan());
    }
}
