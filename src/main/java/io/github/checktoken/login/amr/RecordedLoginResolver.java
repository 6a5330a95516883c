package io.github.checktoken.login.amr;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.OAuth2Constants;
import org.keycloak.authentication.authenticators.client.ClientIdAndSecretAuthenticator;
import org.keycloak.authentication.authenticators.client.JWTClientAuthenticator;
import org.keycloak.authentication.authenticators.client.JWTClientSecretAuthenticator;
import org.keycloak.authentication.authenticators.client.X509ClientAuthenticator;
import org.keycloak.jose.jws.JWSInput;
import org.keycloak.jose.jws.JWSInputException;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.utils.PkceUtils;
import org.keycloak.representations.RefreshToken;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.login.evidence.AuthenticationMethod;
import io.github.checktoken.login.evidence.AuthenticationMethodUse;
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.telemetry.LogInterval;
import org.jboss.logging.Logger;

/** Finds the recorded login for which a token is being created. */
record RecordedLoginResolver(KeycloakSession session, UserSessionModel userSession, ClientSessionContext context) {

    private static final Logger logger = Logger.getLogger(RecordedLoginResolver.class);
    private static final LogInterval UNGUARDED = new LogInterval(Duration.ofHours(1));

    /** Like {@link #resolve}, for a token that tells the level of the login. */
    RecordedLogin resolveLevel() {
        LoginInProgress.of(session).levelIsTold();
        return resolve().login();
    }

    ResolvedLogin resolve() {
        return LoginInProgress.of(session)
                .resolvedOnce(() -> find().ofUser(userSession.getUser().getId()));
    }

    /**
     * The grant type is the one that Keycloak itself has noted. The form is not asked, because a browser can send any
     * form.
     */
    private ResolvedLogin find() {
        AuthenticatedClientSessionModel clientSession = context.getClientSession();
        LoginInProgress progress = LoginInProgress.of(session);
        String grantType = context.getAttribute(Constants.GRANT_TYPE, String.class);
        if (!OAuth2Constants.CLIENT_CREDENTIALS.equals(grantType)
                && !new LoginGuard(session).allowsToTell(userSession.getRealm())) {
            progress.grantTypeIs(grantType);
            warn(userSession.getRealm());
            return ResolvedLogin.unknown(clientSession.getNote(OIDCLoginProtocol.CLAIMS_PARAM), AmrOmission.UNGUARDED);
        }
        AuthenticationSessionModel authSession = progress.authSession().orElse(null);
        if (authSession != null && authSession.getClientNote(OIDCLoginProtocol.RESPONSE_TYPE_PARAM) != null) {
            // The implicit or hybrid flow: in other grants the authentication session has no response type.
            return ResolvedLogin.of(new LoginRecorder(session, authSession).record(userSession, clientSession));
        }
        if (grantType == null) {
            return ResolvedLogin.of(RecordedLogin.UNKNOWN);
        }
        progress.grantTypeIs(grantType);
        MultivaluedMap<String, String> form =
                session.getContext().getHttpRequest().getDecodedFormParameters();
        String claims = form.getFirst(OIDCLoginProtocol.CLAIMS_PARAM);
        return switch (grantType) {
            case OAuth2Constants.AUTHORIZATION_CODE ->
                ResolvedLogin.of(redeem(clientSession, form.getFirst(OAuth2Constants.CODE_VERIFIER)), clientSession);
            case OAuth2Constants.REFRESH_TOKEN ->
                ResolvedLogin.of(refresh(clientSession, form.getFirst(OAuth2Constants.REFRESH_TOKEN)), clientSession);
            case OAuth2Constants.CLIENT_CREDENTIALS ->
                ResolvedLogin.of(
                        new RecordedLogin(AmrClaimRequest.parse(claims), clientMethods(clientSession.getClient())));
            default -> ResolvedLogin.unknown(claims, AmrOmission.LOGIN_NOT_FOUND);
        };
    }

    private static void warn(RealmModel realm) {
        if (UNGUARDED.isDue(realm.getId())) {
            logger.warnf(
                    "Neither amr nor acr is told in realm %s, because its logins are not guarded. Switch the guard on, or"
                            + " set the realm attribute %s to true",
                    realm.getName(), LoginGuard.ACCEPTS_UNGUARDED);
        }
    }

    private Optional<RecordedLogin> redeem(AuthenticatedClientSessionModel clientSession, String codeVerifier) {
        RecordedLoginStore logins = new RecordedLoginStore(clientSession);
        String nonce = context.getAttribute(OIDCLoginProtocol.NONCE_PARAM, String.class);
        // Keycloak also takes a verifier for a code without a challenge. Then only a nonce says whose code it is.
        boolean isKnownWithoutChallenge = codeVerifier == null || nonce != null && !nonce.isEmpty();
        return Stream.of(OAuth2Constants.PKCE_METHOD_S256, OAuth2Constants.PKCE_METHOD_PLAIN)
                .filter(method -> codeVerifier != null)
                .map(method -> logins.redeemCode(codeKey(nonce, codeVerifier, method)))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> isKnownWithoutChallenge
                        ? logins.redeemCode(RecordedLoginStore.codeKey(nonce, null))
                        : Optional.empty());
    }

    private static String codeKey(String nonce, String codeVerifier, String method) {
        return RecordedLoginStore.codeKey(nonce, PkceUtils.encodeCodeChallenge(codeVerifier, method));
    }

    /** Reads the refresh token unverified, because Keycloak has verified it before it creates tokens for it. */
    private static Optional<RecordedLogin> refresh(AuthenticatedClientSessionModel clientSession, String refreshToken) {
        try {
            String id = new JWSInput(refreshToken)
                    .readJsonContent(RefreshToken.class)
                    .getId();
            return new RecordedLoginStore(clientSession).findByRefreshToken(id);
        } catch (JWSInputException e) {
            return Optional.empty();
        }
    }

    /** In a client credentials grant the method is how the client authenticates, because there is no user. */
    private static AuthenticationMethods clientMethods(ClientModel client) {
        return switch (client.getClientAuthenticatorType()) {
            case ClientIdAndSecretAuthenticator.PROVIDER_ID, JWTClientSecretAuthenticator.PROVIDER_ID ->
                methodUsed(AuthenticationMethod.PWD);
            case JWTClientAuthenticator.PROVIDER_ID, X509ClientAuthenticator.PROVIDER_ID ->
                methodUsed(AuthenticationMethod.POP);
            default -> AuthenticationMethods.NONE;
        };
    }

    private static AuthenticationMethods methodUsed(AuthenticationMethod method) {
        return new AuthenticationMethods(List.of(new AuthenticationMethodUse(
                method.value(), false, CurrentTime.seconds(), AuthenticationMethodUse.AS_LONG_AS_THE_SESSION)));
    }
}
