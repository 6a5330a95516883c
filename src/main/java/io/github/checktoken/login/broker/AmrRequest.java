package io.github.checktoken.login.broker;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.IdentityProviderModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The authorization request to an identity provider, as an address with its parameters. */
final class AmrRequest {

    /** The name of Keycloak's setting. */
    private static final String CLIENT_ID = "clientId";

    private static final String CLAIMS = OIDCLoginProtocol.CLAIMS_PARAM + "=";

    private AmrRequest() {}

    /** Whether this is a request to that provider, and not the end of a login there. */
    static boolean isTo(IdentityProviderModel provider, URI location) {
        Map<String, String> config = provider.getConfig();
        String clientId = config == null ? null : config.get(CLIENT_ID);
        List<String> parameters =
                parameters(location).stream().map(AmrRequest::decode).toList();
        return parameters.contains(OAuth2Constants.CLIENT_ID + "=" + clientId)
                && parameters.stream().anyMatch(name -> name.startsWith(OAuth2Constants.RESPONSE_TYPE + "="));
    }

    /**
     * Adds the request for {@code amr} (OpenID Connect Core section 5.5) to what is asked for already: by the provider's
     * address, or by a service whose parameters Keycloak forwards. What cannot be read is replaced.
     */
    static URI askingForAmr(URI location) {
        ObjectNode claims = parameters(location).stream()
                .filter(parameter -> parameter.startsWith(CLAIMS))
                .findFirst()
                .map(parameter -> read(parameter.substring(CLAIMS.length())))
                .orElseGet(AmrRequest::empty);
        child(child(claims, "id_token"), OAuth2Constants.AUTHENTICATOR_METHOD_REFERENCE)
                .put("essential", true);
        String query = Stream.concat(
                        parameters(location).stream().filter(parameter -> !parameter.startsWith(CLAIMS)),
                        Stream.of(CLAIMS + encode(claims.toString())))
                .collect(Collectors.joining("&"));
        return URI.create(location.toString().replaceFirst("\\?.*", "") + "?" + query);
    }

    private static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode child ? child : parent.putObject(name);
    }

    private static ObjectNode read(String encoded) {
        try {
            return JsonSerialization.mapper.readTree(decode(encoded)) instanceof ObjectNode object ? object : empty();
        } catch (JsonProcessingException e) {
            return empty();
        }
    }

    private static ObjectNode empty() {
        return JsonSerialization.mapper.createObjectNode();
    }

    private static List<String> parameters(URI location) {
        String query = location.getRawQuery();
        return query == null ? List.of() : Arrays.asList(query.split("&"));
    }

    private static String decode(String value) {
        return URLDecoder.decode(value, StandardCharsets.UTF_8);
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
