package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.RealmKeys;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Which access tokens FranceConnect and ProConnect refuse in the tests of their userinfo endpoint, at the same address
 * here. Keycloak answers: the statuses and errors are theirs, but Keycloak sends them in a header, and not as JSON.
 */
@ExtendWith(KeycloakExtension.class)
class UserInfoScenariosIT {

    private final Federation federation;
    private final ServiceProvider town;
    private final Browser browser;

    UserInfoScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.browser = new Browser(federation.server());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic dW5rbm93bjp1bmtub3du"})
    void userInfoNeedsAToken(String authorization) {
        var request = Http.request(federation.url() + "/api/v2/userinfo");
        HttpResponse<String> response =
                Http.send(authorization.isEmpty() ? request : request.header("Authorization", authorization));

        assertChallenge(401, "", response);
    }

    @Test
    void userInfoRefusesATokenThatNobodyIssued() {
        assertChallenge(401, invalid("Token verification failed"), userInfo("unknown"));
    }

    /** The realm's own key has signed it. */
    @Test
    void userInfoRefusesATokenThatHasExpired() throws JOSEException {
        try (RealmKeys keys = new RealmKeys(federation.admin())) {
            RSAKey key = keys.addKnown(0);
            ObjectNode claims =
                    (ObjectNode) town.signIn(browser, "camille", "openid").accessClaims();
            assertEquals(200, userInfo(signed(key, claims)).statusCode());

            claims.put("exp", claims.get("iat").asLong() - 1);
            assertChallenge(401, invalid("Token verification failed"), userInfo(signed(key, claims)));
        }
    }

    @Test
    void userInfoRefusesATokenThatIsRevoked() {
        Tokens tokens = town.signIn(browser, "camille", "openid");
        town.revoke(tokens.accessToken());

        assertChallenge(401, invalid("Token verification failed"), userInfo(tokens.accessToken()));
    }

    @Test
    void userInfoRefusesATokenWithoutTheScopeOpenid() {
        Tokens tokens = town.signIn(browser, "camille", "given_name");

        assertChallenge(
                403,
                ", error=\"insufficient_scope\", error_description=\"Missing openid scope\"",
                userInfo(tokens.accessToken()));
    }

    private HttpResponse<String> userInfo(String token) {
        return Http.send(
                Http.request(federation.url() + "/api/v2/userinfo").header("Authorization", "Bearer " + token));
    }

    private static String signed(RSAKey key, ObjectNode claims) throws JOSEException {
        JWSObject token = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                new Payload(claims.toString()));
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    private static String invalid(String description) {
        return ", error=\"invalid_token\", error_description=\"" + description + "\"";
    }

    private void assertChallenge(int status, String error, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response::body);
        assertEquals(
                List.of("Bearer realm=\"" + federation.realm() + "\"" + error),
                response.headers().allValues("WWW-Authenticate"));
        assertEquals(List.of(), response.headers().allValues("Set-Cookie"));
        assertEquals("", response.body());
    }
}
