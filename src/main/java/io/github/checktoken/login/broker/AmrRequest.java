package io.github.checktoken.login.broker;

import java.net.URI;
import java.util.List;
import java.util.Map;

import org.keycloak.OAuth2Constants;
import org.keycloak.common.util.KeycloakUriBuilder;
import org.keycloak.common.util.UriUtils;
import org.keycloak.models.IdentityProviderModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The authorization request to an identity provider, as an address with its parameters. */
final class AmrRequest {

    /** The name of Keycloak's setting. */
    private static final String CLIENT_ID = "clientId";

    private AmrRequest() {}

    /** Whether this is a request to that provider, and not the end of a login there. */
    static boolean isTo(IdentityProviderModel provider, URI location) {
        Map<String, String> config = provider.getConfig();
        String clientId = config == null ? null : config.get(CLIENT_ID);
        Map<String, List<String>> parameters = UriUtils.decodeQueryString(location.getRawQuery());
        return clientId != null
                && parameters.getOrDefault(OAuth2Constants.CLIENT_ID, List.of()).contains(clientId)
                && parameters.containsKey(OAuth2Constants.RESPONSE_TYPE);
    }

    /**
     * Adds the request for {@code amr} (OpenID Connect Core section 5.5) to what is asked for already: by the provider's
     * address, or by a service whose parameters Keycloak forwards. What cannot be read is replaced.
     */
    static URI askingForAmr(URI location) {
        ObjectNode claims =
                read(UriUtils.decodeQueryString(location.getRawQuery()).getFirst(OIDCLoginProtocol.CLAIMS_PARAM));
        child(child(claims, "id_token"), OAuth2Constants.AUTHENTICATOR_METHOD_REFERENCE)
                .put("essential", true);
        return KeycloakUriBuilder.fromUri(location)
                .replaceQueryParam(OIDCLoginProtocol.CLAIMS_PARAM, claims)
                .build();
    }

    private static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode child ? child : parent.putObject(name);
    }

    /** @return an empty object if there is nothing that can be read */
    private static ObjectNode read(String json) {
        try {
            if (json != null && JsonSerialization.mapper.readTree(json) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            // As if nothing was there.
        }
        return JsonSerialization.mapper.createObjectNode();
    }
}
