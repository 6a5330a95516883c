package io.github.checktoken.introspection.endpoint;

import java.util.List;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;

import org.keycloak.OAuth2Constants;
import org.keycloak.events.EventBuilder;
import org.keycloak.jose.jws.JWSInput;
import org.keycloak.jose.jws.JWSInputException;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.utils.AuthorizeClientUtil;
import org.keycloak.representations.JsonWebToken;

import io.github.checktoken.introspection.dataprovider.ClientCertificates;
import io.github.checktoken.introspection.secretguess.PresentedSecret;
import io.github.checktoken.introspection.secretguess.SecretGuess;
import io.github.checktoken.introspection.secretguess.SecretGuessLimit;

/**
 * Keycloak's client authentication with the same answer for every failure, so that a caller does not learn whether a
 * confidential client is unknown or disabled, whether the secret is wrong, or whether it was rejected unchecked after
 * too many wrong secrets. The reason is in the event.
 */
record ClientAuthentication(KeycloakSession session, EventBuilder event, SecretGuessLimit guessLimit) {

    ClientModel authenticate(CheckTokenRequest request) throws CheckTokenException {
        List<PresentedSecret> secrets = PresentedSecret.in(request.form(), authorization());
        for (PresentedSecret secret : secrets) {
            requireNoNul(secret.clientId());
        }
        requireNoNul(request.form().getFirst(OAuth2Constants.CLIENT_ID));
        JsonWebToken assertion = readable(request.form().getFirst(OAuth2Constants.CLIENT_ASSERTION));
        List<SecretGuess> guesses = secrets.stream()
                .flatMap(secret -> SecretGuess.of(session, guessLimit, secret).stream())
                .toList();
        requireBelowLimit(guesses);
        ClientModel client = authenticate(guesses, assertion);
        // Checked again, because parallel guesses may have reached the limit in the meantime.
        requireBelowLimit(guesses);
        ClientCertificates.of(session).authenticated(session, client);
        return client;
    }

    /**
     * Rejects an unreadable client assertion, for which Keycloak would log a stack trace.
     *
     * @param assertion null if there is none
     * @return its claims, without any check; null if there is none
     */
    private static JsonWebToken readable(String assertion) throws CheckTokenException {
        if (assertion == null) {
            return null;
        }
        try {
            JsonWebToken claims = new JWSInput(assertion).readJsonContent(JsonWebToken.class);
            if (claims != null) {
                requireNoNul(claims.getSubject());
                requireNoNul(claims.getIssuer());
                return claims;
            }
        } catch (JWSInputException e) {
            // Its message quotes the assertion, so it is not used.
        }
        throw new CheckTokenException(CheckTokenError.INVALID_CLIENT, "unreadable client assertion");
    }

    /** PostgreSQL rejects a query with a NUL character and aborts the transaction. */
    private static void requireNoNul(String name) throws CheckTokenException {
        if (name != null && name.indexOf('\0') >= 0) {
            throw new CheckTokenException(CheckTokenError.INVALID_CLIENT, "NUL in a client_id");
        }
    }

    private String authorization() {
        return session.getContext()
                .getHttpRequest()
                .getHttpHeaders()
                .getRequestHeaders()
                .getFirst(HttpHeaders.AUTHORIZATION);
    }

    /** @param assertion the claims of the client assertion; null if there is none */
    private ClientModel authenticate(List<SecretGuess> guesses, JsonWebToken assertion) throws CheckTokenException {
        if (assertion != null
                && assertion.getSubject() != null
                && assertion.getSubject().equals(assertion.getIssuer())) {
            // Keycloak would take a database that fails here for a wrong assertion.
            session.clients().getClientByClientId(session.getContext().getRealm(), assertion.getSubject());
        }
        try {
            ClientModel client = IssuerAudienceProcessor.isFor(session, assertion)
                    ? IssuerAudienceProcessor.authorizedClient(session, event)
                    : AuthorizeClientUtil.authorizeClient(session, event, null).getClient();
            event.client(client);
            return client;
        } catch (WebApplicationException e) {
            guesses.forEach(SecretGuess::countIfWrong);
            throw new CheckTokenException(CheckTokenError.INVALID_CLIENT, "client authentication failed");
        }
    }

    private void requireBelowLimit(List<SecretGuess> guesses) throws CheckTokenException {
        for (SecretGuess guess : guesses) {
            if (guess.isRefused()) {
                event.client(guess.client());
                throw new CheckTokenException(
                        CheckTokenError.INVALID_CLIENT, "too many wrong secrets for this client from this address");
            }
        }
    }
}
