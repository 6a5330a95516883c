package io.github.checktoken.login.amr;

import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ProtocolMapperContainerModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.utils.OIDCResponseType;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.ClientSessionLevel;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.keycloak.RecordedLoginReader;
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.BrowserMethodStore;
import io.github.checktoken.login.evidence.JsonNote;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.UserSessionMethodStore;
import io.github.checktoken.login.pin.ConfigurePin;

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
     * other tab in its context, in which somebody else may be signing in. Then nothing is recorded.
     */
    RecordedLogin record(UserSessionModel userSession, AuthenticatedClientSessionModel clientSession) {
        boolean records = new LoginGuard(session).allowsToTell(userSession.getRealm())
                && userSession.getUser().equals(authSession.getAuthenticatedUser())
                && isUsed(userSession);
        return LoginInProgress.of(session)
                .recordedOnce(() -> records ? recordNow(userSession, clientSession) : RecordedLogin.UNKNOWN);
    }

    /**
     * Whether anything reads what is recorded of this login: <em>Configure PIN</em>, or a mapper. If nothing does, nothing
     * is recorded, so that the sessions of a realm that does not use this project are Keycloak's own. Once a session has a
     * record, each of its logins has to add to it or to replace it.
     *
     * <p>Of the mappers, only those of client scopes and of the client that signs in are searched, because a realm can have
     * thousands of clients.
     */
    private boolean isUsed(UserSessionModel userSession) {
        RealmModel realm = authSession.getRealm();
        ClientModel client = authSession.getClient();
        KeycloakSessionFactory factory = session.getKeycloakSessionFactory();
        return UserSessionMethodStore.isIn(userSession)
                || Stream.of(
                                Stream.of(client),
                                client.getClientScopes(true).values().stream(),
                                realm.getClientScopesStream())
                        .flatMap(scopes -> scopes)
                        .flatMap(ProtocolMapperContainerModel::getProtocolMappersStream)
                        .map(mapper -> factory.getProviderFactory(ProtocolMapper.class, mapper.getProtocolMapper()))
                        .anyMatch(RecordedLoginReader.class::isInstance)
                || realm.getRequiredActionProviderByAlias(ConfigurePin.PROVIDER_ID) != null;
    }

    private RecordedLogin recordNow(UserSessionModel userSession, AuthenticatedClientSessionModel clientSession) {
        LoginEvidence evidence = new LoginEvidence(session, authSession);
        Optional<UserSessionModel> continued = evidence.continuedSession().filter(userSession::equals);
        AuthenticationMethods earlier =
                continued.map(UserSessionMethodStore::of).orElse(AuthenticationMethods.NONE);
        UserSessionMethodStore.save(userSession, earlier.plus(evidence.methods()));
        new BrowserMethodStore(userSession).add(session, evidence.methods(), evidence.replacesSessionMethods());

        MaxAge maxAge = MaxAge.of(authSession);
        LoginLevel level = new LoginLevel(authSession, clientSession, evidence, maxAge);
        correctLevels(level, userSession, continued.isPresent());
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

    /** Removes levels from Keycloak's notes that are neither of this login nor of the session that it continues. */
    private static void correctLevels(LoginLevel level, UserSessionModel userSession, boolean continues) {
        if (!continues) {
            LevelTimes reached = level.times();
            if (reached.times().isEmpty()) {
                userSession.removeNote(Constants.LOA_MAP);
            } else if (!reached.equals(LevelTimes.parse(userSession.getNote(Constants.LOA_MAP)))) {
                userSession.setNote(Constants.LOA_MAP, JsonNote.write(reached));
            }
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
