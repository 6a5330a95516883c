package io.github.checktoken.introspection.endpoint;

import java.net.URI;
import java.util.regex.Pattern;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.Urls;

/**
 * The issuer of introspection answers, {@code {realm URL}/api/v2}. It differs from the realm's issuer, so that no
 * answer can be accepted as a token of the realm.
 */
final class CheckTokenIssuer {

    /** The unreserved characters (RFC 3986 section 2.3), which a URL contains as they are. */
    private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]+");

    private CheckTokenIssuer() {}

    /** @return an absolute URL without a trailing slash */
    public static String of(KeycloakSession session) {
        return of(
                session.getContext().getUri().getBaseUri(),
                session.getContext().getRealm().getName());
    }

    /** @return the URL of the endpoint, as the metadata names it */
    static String endpoint(KeycloakSession session) {
        return of(session) + ServicePaths.ENDPOINT_NAME;
    }

    /** Keycloak's own method takes as long as the signature of an answer, so it is called only if it has to encode. */
    static String of(URI baseUri, String realm) {
        String base = baseUri.toString();
        String realmIssuer = base.endsWith("/") && UNRESERVED.matcher(realm).matches()
                ? base + "realms/" + realm
                : Urls.realmIssuer(baseUri, realm);
        return realmIssuer + ServicePaths.ISSUER;
    }
}
