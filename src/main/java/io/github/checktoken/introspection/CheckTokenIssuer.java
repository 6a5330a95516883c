package io.github.checktoken.introspection;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.Urls;

/**
 * The issuer of introspection answers, {@code {realm URL}/api/v2}. It differs from the realm's issuer, so that no
 * answer can be accepted as a token of the realm.
 */
public final class CheckTokenIssuer {

    private CheckTokenIssuer() {}

    /** @return an absolute URL without a trailing slash */
    public static String of(KeycloakSession session) {
        String realm = session.getContext().getRealm().getName();
        return Urls.realmIssuer(session.getContext().getUri().getBaseUri(), realm) + "/api/v2";
    }
}
