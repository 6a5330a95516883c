package io.github.checktoken.support.client;

import java.util.Map;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.assertions.jwt.JWTAssertionFactory;
import com.nimbusds.oauth2.sdk.auth.ClientSecretJWT;
import com.nimbusds.oauth2.sdk.auth.JWTAuthentication;
import com.nimbusds.oauth2.sdk.auth.JWTAuthenticationClaimsSet;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.util.MultivaluedMapUtils;

/**
 * The JWT with which a client proves that it has a key or a secret (RFC 7523 section 2.2). It is valid for a minute.
 */
public final class ClientAssertion {

    private final JWTClaimsSet.Builder claims;

    /** @param audience the realm URL, which Keycloak expects here */
    public ClientAssertion(String clientId, String audience) {
        claims = new JWTClaimsSet.Builder(
                new JWTAuthenticationClaimsSet(new ClientID(clientId), new Audience(audience)).toJWTClaimsSet());
    }

    public ClientAssertion with(String claim, Object value) {
        claims.claim(claim, value);
        return this;
    }

    /** Signs for {@code private_key_jwt}, with the key's own {@code alg} and {@code kid}. */
    public Map<String, String> signedBy(JWK key) {
        try {
            JWSAlgorithm algorithm = JWSAlgorithm.parse(key.getAlgorithm().getName());
            return form(new PrivateKeyJWT(
                    claimsSet(), algorithm, ((AsymmetricJWK) key).toPrivateKey(), key.getKeyID(), null));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Signs for {@code client_secret_jwt}. */
    public Map<String, String> signedBy(String secret) {
        try {
            return form(new ClientSecretJWT(
                    JWTAssertionFactory.create(claimsSet(), JWSAlgorithm.HS256, new Secret(secret))));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private JWTAuthenticationClaimsSet claimsSet() {
        try {
            return JWTAuthenticationClaimsSet.parse(claims.build());
        } catch (ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return the parameters of a request */
    private static Map<String, String> form(JWTAuthentication authentication) {
        return MultivaluedMapUtils.toSingleValuedMap(authentication.toParameters());
    }
}
