package io.github.checktoken.introspection.token;

import java.io.IOException;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.endpoints.TokenIntrospectionEndpoint;
import org.keycloak.util.JsonSerialization;
import org.keycloak.utils.KeycloakSessionUtil;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.keycloak.RealmUse;

/**
 * Keycloak's introspection can add a {@code jwt} to its answer: claims of the token that it was asked about, signed anew
 * ({@code AccessTokenIntrospectionProvider.introspect}). It reads that token less strictly than {@link AccessTokenFormat},
 * so what is no access token would become one, and a permission token would lose the claim that says what it is. In
 * a realm with a data provider, such an answer has no {@code jwt}.
 */
@Provider
public final class IntrospectionJwtFilter implements ContainerResponseFilter {

    private static final String PATH = "/introspect";
    private static final String JWT = "jwt";

    /** The path is decoded, and may have matrix parameters. */
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) throws IOException {
        if (response.getEntity() instanceof byte[] body
                && request.getUriInfo().getPath().contains(PATH)
                && MediaType.APPLICATION_JSON_TYPE.isCompatible(response.getMediaType())) {
            KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
            RealmModel realm = session == null ? null : session.getContext().getRealm();
            if (realm != null
                    && RealmUse.usesIntrospection(session, realm)
                    && JsonSerialization.mapper.readTree(body) instanceof ObjectNode answer
                    && answer.has(JWT)
                    && isAccessTokenOnlyThere(session, answer.get(JWT))) {
                answer.remove(JWT);
                response.setEntity(JsonSerialization.writeValueAsBytes(answer));
            }
        }
    }

    private static boolean isAccessTokenOnlyThere(KeycloakSession session, JsonNode jwt) {
        AccessTokenFormat format = new AccessTokenFormat(session);
        String token = session.getContext()
                .getHttpRequest()
                .getDecodedFormParameters()
                .getFirst(TokenIntrospectionEndpoint.PARAM_TOKEN);
        return format.accessToken(jwt.asText()).isPresent()
                && format.accessToken(token)
                        .filter(read -> read.getAuthorization() == null)
                        .isEmpty();
    }
}
