package io.github.checktoken.introspection.endpoint;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.keycloak.models.KeycloakSession;
import org.keycloak.urls.UrlType;

import io.github.checktoken.keycloak.RealmIssuer;

/**
 * The issuer of introspection answers, {@code {realm URL}/api/v2}. It differs from the realm's issuer, so that no
 * answer can be accepted as a token of the realm.
 */
final class CheckTokenIssuer {

    private CheckTokenIssuer() {}

    /** @return an absolute URL without a trailing slash */
    public static String of(KeycloakSession session) {
        return of(session, UrlType.FRONTEND);
    }

    private static String of(KeycloakSession session, UrlType type) {
        return RealmIssuer.of(session, type) + ServicePaths.ISSUER;
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
            audiences.add(RealmIssuer.of(session, type) + ServicePaths.ENDPOINT_NAME);
        }
        return audiences;
    }
}
