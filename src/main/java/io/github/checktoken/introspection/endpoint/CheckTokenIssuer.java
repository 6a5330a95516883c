package io.github.checktoken.introspection.endpoint;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.Urls;
import org.keycloak.urls.UrlType;

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
        return of(session, UrlType.FRONTEND);
    }

    private static String of(KeycloakSession session, UrlType type) {
        return realm(session, type) + ServicePaths.ISSUER;
    }

    private static String realm(KeycloakSession session, UrlType type) {
        return realm(
                session.getContext().getUri(type).getBaseUri(),
                session.getContext().getRealm().getName());
    }

    /**
     * @return the URL of the endpoint, as the metadata name it: where programs reach it, as in Keycloak's own metadata
     *     ({@code OIDCWellKnownProvider}), which differs from the issuer's with {@code --hostname-backchannel-dynamic}
     */
    static String endpoint(KeycloakSession session) {
        return of(session, UrlType.BACKEND) + ServicePaths.ENDPOINT_NAME;
    }

    /** @return what an assertion may name as its audience: the issuer, and each URL of the endpoint */
    static Set<String> audiences(KeycloakSession session) {
        Set<String> audiences = new HashSet<>(Set.of(of(session)));
        for (UrlType type : List.of(UrlType.FRONTEND, UrlType.BACKEND)) {
            audiences.add(of(session, type) + ServicePaths.ENDPOINT_NAME);
            audiences.add(realm(session, type) + ServicePaths.ENDPOINT_NAME);
        }
        return audiences;
    }

    /** Keycloak's own method takes as long as the signature of an answer, so it is called only if it has to encode. */
    static String realm(URI baseUri, String realm) {
        String base = baseUri.toString();
        return base.endsWith("/") && UNRESERVED.matcher(realm).matches()
                ? base + "realms/" + realm
                : Urls.realmIssuer(baseUri, realm);
    }
}
