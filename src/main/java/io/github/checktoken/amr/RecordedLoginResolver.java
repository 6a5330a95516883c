package io.github.checktoken.amr;

import java.util.List;

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
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.utils.PkceUtils;
import org.keycloak.representations.RefreshToken;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.method.AuthenticationMethod;
import io.github.checktoken.method.AuthenticationMethodUse;
import io.github.checktoken.method.AuthenticationMethods;

/** Finds the recorded login for which an ID token is being created. */
final class RecordedLoginResolver {

    private static final String RESOLVED = RecordedLoginResolver.class.getName();

    private final KeycloakSession session;
    private final UserSessionModel userSession;
    private final ClientSessionContext context;

    RecordedLoginResolver(KeycloakSession session, UserSessionModel userSession, ClientSessionContext context) {
        this.session = session;
        this.userSession = userSession;
        this.context = context;
    }

    /** @return the login that {@link #resolve} has found in this request; null if it was not called */
    static RecordedLogin resolved(KeycloakSession session) {
        return session.getAttribute(RESOLVED, RecordedLogin.class);
    }

    /** Looks the login up only once in a request, because a code can be redeemed only once. */
    RecordedLogin resolve() {
        RecordedLogin login = resolved(session);
        if (login == null) {
            login = findLogin();
            session.setAttribute(RESOLVED, login);
        }
        return login;
    }

    private RecordedLogin findLogin() {
        AuthenticatedClientSessionModel clientSession = context.getClientSession();
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        if (authSession != null && authSession.getClientNote(OIDCLoginProtocol.RESPONSE_TYPE_PARAM) != null) {
            // The implicit or hybrid flow: in other grants the authentication session has no response type. This is
            // checked before the form parameters, because a browser can send any form.
            return new LoginRecorder(session, authSession).record(userSession, clientSession);
        }
        MultivaluedMap<String, String> form =
                session.getContext().getHttpRequest().getDecodedFormParameters();
        String grantType = form.getFirst(OAuth2Constants.GRANT_TYPE);
        return switch (grantType == null ? "" : grantType) {
            case OAuth2Constants.AUTHORIZATION_CODE ->
                redeem(clientSession, form.getFirst(OAuth2Constants.CODE_VERIFIER));
            case OAuth2Constants.REFRESH_TOKEN -> refresh(clientSession, form.getFirst(OAuth2Constants.REFRESH_TOKEN));
            case OAuth2Constants.CLIENT_CREDENTIALS ->
                new RecordedLogin(
                        AmrClaimRequest.parse(form.getFirst(OIDCLoginProtocol.CLAIMS_PARAM)),
                        clientMethods(clientSession.getClient()));
            default -> RecordedLogin.UNKNOWN;
        };
    }

    private RecordedLogin redeem(AuthenticatedClientSessionModel clientSession, String codeVerifier) {
        AuthorizationCodeLoginStore logins = new AuthorizationCodeLoginStore(clientSession);
        String nonce = context.getAttribute(OIDCLoginProtocol.NONCE_PARAM, String.class);
        if (nonce != null || codeVerifier == null) {
            return logins.redeem(AuthorizationCodeLoginStore.key(nonce, null)).orElse(RecordedLogin.UNKNOWN);
        }
        return logins.redeem(challenge(codeVerifier, OAuth2Constants.PKCE_METHOD_S256))
                .or(() -> logins.redeem(challenge(codeVerifier, OAuth2Constants.PKCE_METHOD_PLAIN)))
                .orElse(RecordedLogin.UNKNOWN);
    }

    private static String challenge(String codeVerifier, String method) {
        return AuthorizationCodeLoginStore.key(null, PkceUtils.encodeCodeChallenge(codeVerifier, method));
    }

    /** Reads the refresh token unverified, because Keycloak has verified it before it creates an ID token for it. */
    private static RecordedLogin refresh(AuthenticatedClientSessionModel clientSession, String refreshToken) {
        try {
            String id = new JWSInput(refreshToken)
                    .readJsonContent(RefreshToken.class)
                    .getId();
            return new RefreshTokenLoginStore(clientSession).find(id).orElse(RecordedLogin.UNKNOWN);
        } catch (JWSInputException e) {
            return RecordedLogin.UNKNOWN;
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
