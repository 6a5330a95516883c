package io.github.checktoken.introspection.endpoint;

import java.util.List;
import java.util.Set;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.ClientAuthenticator;
import org.keycloak.authentication.authenticators.client.ClientAssertionState;
import org.keycloak.authentication.authenticators.client.JWTClientAuthenticator;
import org.keycloak.authentication.authenticators.client.JWTClientSecretAuthenticator;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.representations.JsonWebToken;
import org.keycloak.services.Urls;

/**
 * Authenticates a client whose assertion names the issuer of our metadata (OpenID Connect Core section 9) or our
 * endpoint (RFC 7523 section 3) as its audience. Keycloak's authenticators know only the realm's issuer and endpoints.
 * So they read the assertion's claims with the realm's issuer as the audience, and check everything else themselves.
 * They verify the signature on the assertion as it was sent.
 */
final class IssuerAudienceProcessor extends AuthenticationProcessor {

    /** The authenticators for assertions that a client makes itself. */
    private static final Set<String> AUTHENTICATORS =
            Set.of(JWTClientAuthenticator.PROVIDER_ID, JWTClientSecretAuthenticator.PROVIDER_ID);

    private final String realmIssuer;

    private IssuerAudienceProcessor(String realmIssuer) {
        this.realmIssuer = realmIssuer;
    }

    /**
     * @param assertion null if there is none
     * @return whether its only audience is the issuer of our metadata or a URL of our endpoint. An audience that is no text
     *     is null
     */
    static boolean isFor(KeycloakSession session, JsonWebToken assertion) {
        String[] audience = assertion == null ? null : assertion.getAudience();
        return audience != null
                && audience.length == 1
                && audience[0] != null
                && CheckTokenIssuer.audiences(session).contains(audience[0]);
    }

    /**
     * Does what {@link org.keycloak.protocol.oidc.utils.AuthorizeClientUtil} does, but with this processor.
     *
     * @throws WebApplicationException if the client is not authenticated; the event has the reason
     */
    static ClientModel authorizedClient(KeycloakSession session, EventBuilder event) {
        KeycloakContext context = session.getContext();
        RealmModel realm = context.getRealm();
        AuthenticationProcessor processor =
                new IssuerAudienceProcessor(Urls.realmIssuer(context.getUri().getBaseUri(), realm.getName()));
        processor
                .setFlowId(realm.getClientAuthenticationFlow().getId())
                .setConnection(context.getConnection())
                .setEventBuilder(event)
                .setRealm(realm)
                .setSession(session)
                .setUriInfo(context.getUri())
                .setRequest(context.getHttpRequest());
        Response refusal = processor.authenticateClient();
        if (refusal != null) {
            throw new WebApplicationException(refusal);
        }
        ClientModel client = processor.getClient();
        if (!client.isEnabled()) {
            throw refused(event, Errors.CLIENT_DISABLED);
        }
        if (client.getProtocol() != null && !OIDCLoginProtocol.LOGIN_PROTOCOL.equals(client.getProtocol())) {
            throw refused(event, Errors.INVALID_CLIENT);
        }
        context.setClient(client);
        return client;
    }

    private static WebApplicationException refused(EventBuilder event, String error) {
        event.error(error);
        return new WebApplicationException(Response.Status.UNAUTHORIZED);
    }

    @Override
    public Result createClientAuthenticatorContext(
            AuthenticationExecutionModel execution,
            ClientAuthenticator authenticator,
            List<AuthenticationExecutionModel> executions) {
        Result result = super.createClientAuthenticatorContext(execution, authenticator, executions);
        if (AUTHENTICATORS.contains(execution.getAuthenticator())) {
            claims(result).audience(realmIssuer);
        }
        return result;
    }

    /** The claims that the authenticator reads, too. */
    private static JsonWebToken claims(Result result) {
        try {
            return result.getState(ClientAssertionState.class, ClientAssertionState.supplier())
                    .getToken();
        } catch (Exception e) {
            // The caller has read the same assertion before.
            throw new IllegalStateException(e);
        }
    }
}
