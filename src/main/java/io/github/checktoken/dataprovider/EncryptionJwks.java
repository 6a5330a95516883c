package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.keycloak.common.util.Base64Url;
import org.keycloak.crypto.KeyType;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.jose.jwk.ECPublicJWK;
import org.keycloak.jose.jwk.JSONWebKeySet;
import org.keycloak.jose.jwk.JWK;
import org.keycloak.jose.jwk.JWKParser;
import org.keycloak.jose.jwk.OKPPublicJWK;
import org.keycloak.util.JWKSUtils;
import org.keycloak.util.JsonSerialization;

import io.github.checktoken.jose.X25519;
import org.jboss.logging.Logger;

/** The keys of a JWK Set (RFC 7517) that a message can be encrypted to. One that cannot be read spoils no other. */
final class EncryptionJwks {

    private static final Logger logger = Logger.getLogger(EncryptionJwks.class);

    private static final String X25519_CURVE = "X25519";
    private static final Set<String> CURVES = Set.of("P-256", "P-384", "P-521", X25519_CURVE);
    private static final Set<String> OPERATIONS = Set.of("encrypt", "wrapKey", "deriveKey", "deriveBits");

    /** RFC 7518 section 4.3. */
    private static final int MINIMUM_RSA_BITS = 2048;

    private EncryptionJwks() {}

    /** @throws IOException when this is no JWK Set */
    static List<KeyWrapper> parse(String json) throws IOException {
        JSONWebKeySet jwks = json == null ? null : JsonSerialization.readValue(json, JSONWebKeySet.class);
        if (jwks == null || jwks.getKeys() == null) {
            throw new IOException("not a JWK Set");
        }
        List<KeyWrapper> keys = new ArrayList<>();
        for (JWK jwk : jwks.getKeys()) {
            if (jwk != null && isForEncryption(jwk)) {
                add(keys, jwk);
            }
        }
        return keys;
    }

    /** Whether the key is of the type that the algorithm needs; a key that names an algorithm fits no other. */
    static boolean fits(KeyWrapper key, String algorithm) {
        if (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
            return false;
        }
        if (algorithm.startsWith("RSA")) {
            return key.getPublicKey() instanceof RSAPublicKey rsa
                    && rsa.getModulus().bitLength() >= MINIMUM_RSA_BITS;
        }
        return (KeyType.EC.equals(key.getType()) || KeyType.OKP.equals(key.getType()))
                && CURVES.contains(key.getCurve());
    }

    /** RFC 7517 sections 4.2 and 4.3: a key for signatures is for nothing else. */
    private static boolean isForEncryption(JWK jwk) {
        boolean use =
                jwk.getPublicKeyUse() == null || JWK.Use.ENCRYPTION.asString().equals(jwk.getPublicKeyUse());
        return use
                && (!(jwk.getOtherClaims().get("key_ops") instanceof Collection<?> operations)
                        || operations.stream().anyMatch(OPERATIONS::contains));
    }

    private static void add(List<KeyWrapper> keys, JWK jwk) {
        try {
            KeyWrapper key = JWKSUtils.getKeyWrapper(jwk, true);
            if (key != null) {
                key.setPublicKey(publicKey(jwk));
                keys.add(key);
            }
        } catch (RuntimeException | GeneralSecurityException e) {
            // Keycloak's parser throws what the JDK or the cast of a member happens to throw.
            logger.warnf("Skipping a JWK that cannot be read, kid '%s': %s", jwk.getKeyId(), e);
        }
    }

    private static PublicKey publicKey(JWK jwk) throws GeneralSecurityException {
        String curve = jwk.getOtherClaim(ECPublicJWK.CRV, String.class);
        if (KeyType.OKP.equals(jwk.getKeyType()) && X25519_CURVE.equals(curve)) {
            return X25519.decode(Base64Url.decode(jwk.getOtherClaim(OKPPublicJWK.X, String.class)));
        }
        PublicKey key = JWKParser.create(jwk).toPublicKey();
        // Keycloak's EC keys are BouncyCastle's; the key agreement is the JDK's.
        return KeyType.EC.equals(jwk.getKeyType())
                ? (PublicKey) KeyFactory.getInstance("EC").translateKey(key)
                : key;
    }
}
