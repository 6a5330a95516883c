package io.github.checktoken.conformance;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.id.Identifier;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.claims.AccessTokenHash;
import com.nimbusds.openid.connect.sdk.claims.CodeHash;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The rules for the tokens of every login.
 *
 * @param sub of the person, which all have
 */
record TokenRules(TestInstance test, JsonNode sub) {

    TokenRules(TestInstance test, Tokens tokens) {
        this(test, Tokens.claims(tokens.idToken()).path("sub"));
    }

    /** @param front whether the ID token came from the authorization endpoint, where it must have the hashes */
    void judgeIdToken(Tokens tokens, Map<String, String> request, String code, boolean front) {
        Nonce nonce = request.containsKey("nonce") ? new Nonce(request.get("nonce")) : null;
        Issuer issuer = new Issuer(test.realm().issuer());
        IDTokenClaimsSet claims = assertDoesNotThrow(
                () -> new IDTokenValidator(issuer, test.client().information().getID(), JWSAlgorithm.RS256, keys())
                        .validate(SignedJWT.parse(tokens.idToken()), nonce),
                "Core 3.1.3.7");
        assertEquals(sub.asText(), claims.getSubject().getValue(), "Core 3.3.3.6: both ID tokens have the same sub");
        if (tokens.accessToken() != null) {
            Identifier hash = AccessTokenHash.compute(new BearerAccessToken(tokens.accessToken()), JWSAlgorithm.RS256);
            assertTrue(isRight(claims.getAccessTokenHash(), hash, front), "Core 3.3.2.11: at_hash is right");
        }
        if (code != null) {
            Identifier hash = CodeHash.compute(new AuthorizationCode(code), JWSAlgorithm.RS256);
            assertTrue(isRight(claims.getCodeHash(), hash, front), "Core 3.3.2.11: c_hash is right");
        }
        boolean needsTime = request.containsKey("max_age");
        assertTrue(!needsTime || claims.getAuthenticationTime() != null, "Core 2: with max_age there is auth_time");
    }

    private JWKSet keys() {
        String keys = test.realm().keys().body();
        return assertDoesNotThrow(() -> JWKSet.parse(keys), "RFC 7517 5");
    }

    private static boolean isRight(Identifier claim, Identifier hash, boolean required) {
        return claim == null ? !required : claim.equals(hash);
    }

    JsonNode userInfo(Tokens tokens) {
        return userInfo(test.userInfoRequest(tokens));
    }

    /** @return the claims of the response */
    JsonNode userInfo(HttpRequest.Builder request) {
        HttpResponse<String> response = test.result().saw("userinfo", Http.send(request));
        assertEquals(200, response.statusCode(), "Core 5.3.2: the UserInfo endpoint accepts the access token");
        boolean isSigned = test.module().client().containsKey("userinfo_signed_response_alg");
        JsonNode claims = isSigned ? verified(response.body()) : Http.json(response);
        assertEquals(sub, claims.get("sub"), "Core 5.3.2: sub is the one of the ID token");
        return claims;
    }

    private JsonNode verified(String userInfo) {
        assertDoesNotThrow(
                () -> {
                    SignedJWT jwt = SignedJWT.parse(userInfo);
                    JWK key = keys().getKeyByKeyId(jwt.getHeader().getKeyID());
                    assertTrue(jwt.verify(new RSASSAVerifier(key.toRSAKey())));
                },
                "Core 5.3.2: the server has signed the UserInfo response");
        return Tokens.claims(userInfo);
    }
}
