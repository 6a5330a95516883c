package io.github.checktoken.keycloak;

import java.net.URI;
import java.util.regex.Pattern;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.Urls;
import org.keycloak.urls.UrlType;

/** The issuer of a realm's tokens. */
public final class RealmIssuer {

    /** The unreserved characters (RFC 3986 section 2.3), which a URL contains as they are. */
    private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]+");

    private RealmIssuer() {}

    public static String of(KeycloakSession session, UrlType type) {
        return of(
                session.getContext().getUri(type).getBaseUri(),
                session.getContext().getRealm().getName());
    }

    /** Keycloak's own method takes as long as the signature of an answer, so it is called only if it has to encode. */
    static String of(URI baseUri, String realm) {
        String base = baseUri.toString();
        return base.endsWith("/") && UNRESERVED.matcher(realm).matches()
                ? base + "realms/" + realm
                : Urls.realmIssuer(baseUri, realm);
    }
}
