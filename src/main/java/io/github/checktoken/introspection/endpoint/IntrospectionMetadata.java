package io.github.checktoken.introspection.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.ClientAuthenticator;
import org.keycloak.authentication.ClientAuthenticatorFactory;
import org.keycloak.crypto.ClientSignatureVerifierProvider;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakUriInfo;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.OIDCLoginProtocolService;
import org.keycloak.urls.UrlType;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.introspection.jose.AnswerSigner;
import io.github.checktoken.introspection.jose.JoseAlgorithms;

/**
 * The metadata of the introspection issuer {@code {realm URL}/api/v2}. They contain only what a data provider needs to
 * call the endpoint and to verify the answer (RFC 8414 section 2, RFC 9701 section 7), and the members without which
 * libraries for OpenID Connect Discovery 1.0 (section 3) reject them. A data provider can reach each address in them:
 * Keycloak chooses the address as it does for its own metadata.
 */
record IntrospectionMetadata(KeycloakSession session) {

    private static final int MAX_AGE_SECONDS = 300;

    /**
     * Not for shared caches: without a fixed {@code --hostname}, the URLs in it depend on the headers of the request.
     */
    Response response() {
        CacheControl cacheControl = new CacheControl();
        cacheControl.setPrivate(true);
        cacheControl.setMaxAge(MAX_AGE_SECONDS);
        return Response.ok(metadata()).cacheControl(cacheControl).build();
    }

    private Map<String, Object> metadata() {
        String issuer = CheckTokenIssuer.of(session);
        KeycloakUriInfo uri = session.getContext().getUri(UrlType.BACKEND);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("issuer", issuer);
        metadata.put("response_types_supported", List.of("code"));
        // Otherwise the default is a grant for which an authorization endpoint is required (RFC 8414 section 2).
        metadata.put("grant_types_supported", List.of());
        metadata.put("subject_types_supported", List.of("pairwise"));
        metadata.put("introspection_endpoint", CheckTokenIssuer.endpoint(session));
        metadata.put(
                "jwks_uri",
                OIDCLoginProtocolService.certsUrl(uri.getBaseUriBuilder())
                        .build(session.getContext().getRealm().getName())
                        .toString());
        metadata.put("introspection_endpoint_auth_methods_supported", clientAuthenticationMethods());
        metadata.put("introspection_endpoint_auth_signing_alg_values_supported", assertionAlgorithms());
        metadata.put("introspection_signing_alg_values_supported", AnswerSigner.availableAlgorithms(session));
        metadata.put("introspection_encryption_alg_values_supported", JoseAlgorithms.KEY_MANAGEMENT);
        metadata.put("introspection_encryption_enc_values_supported", JoseAlgorithms.CONTENT_ENCRYPTION);
        return metadata;
    }

    /** RFC 8414 section 2 requires this member if private_key_jwt or client_secret_jwt is listed. */
    private List<String> assertionAlgorithms() {
        return session.getKeycloakSessionFactory()
                .getProviderFactoriesStream(ClientSignatureVerifierProvider.class)
                .map(factory -> factory.getId())
                .sorted()
                .toList();
    }

    /** The methods of the authenticators that are enabled in this realm's client authentication flow. */
    private List<String> clientAuthenticationMethods() {
        RealmModel realm = session.getContext().getRealm();
        String flow = realm.getClientAuthenticationFlow().getId();
        return realm.getAuthenticationExecutionsStream(flow)
                .filter(AuthenticationExecutionModel::isEnabled)
                .map(AuthenticationExecutionModel::getAuthenticator)
                .filter(StringUtil::isNotBlank)
                .map(id -> session.getKeycloakSessionFactory().getProviderFactory(ClientAuthenticator.class, id))
                .filter(ClientAuthenticatorFactory.class::isInstance)
                .map(ClientAuthenticatorFactory.class::cast)
                .flatMap(factory -> factory.getProtocolAuthenticatorMethods(OIDCLoginProtocol.LOGIN_PROTOCOL).stream())
                .distinct()
                .sorted()
                .toList();
    }
}
