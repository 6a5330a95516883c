package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.crypto.KeyType;
import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.jose.X25519;
import org.jboss.logging.Logger;

/** The keys of a JWK Set (RFC 7517) that a message can be encrypted to. One that cannot be read spoils no other. */
final class EncryptionJwks {

    private static final Logger logger = Logger.getLogger(EncryptionJwks.class);

    private static final Set<Curve> NIST_CURVES = Set.of(Curve.P_256, Curve.P_384, Curve.P_521);
    private static final Set<String> OPERATIONS = Set.of("encrypt", "wrapKey", "deriveKey", "deriveBits");

    /** All that is read: neither a private half nor a certificate decides anything here. */
    private static final Set<String> MEMBERS = Set.of("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y");

    /** RFC 7518 section 4.3, and what a server can be asked to compute. */
    private static final int MINIMUM_RSA_BITS = 2048;

    private static final int MAXIMUM_RSA_BITS = 16384;

    /** NIST SP 800-56B section 6.2: with a small one, 1 above all, RSA hides little or nothing. */
    private static final BigInteger MINIMUM_RSA_EXPONENT = BigInteger.valueOf(65537);

    private EncryptionJwks() {}

    /** @throws IOException when this is no JWK Set */
    static List<KeyWrapper> parse(String json) throws IOException {
        List<?> jwks = jwks(json);
        List<KeyWrapper> keys = new ArrayList<>();
        for (int i = 0; i < jwks.size(); i++) {
            if (jwks.get(i) instanceof Map<?, ?> jwk) {
                add(keys, jwk, i);
            }
        }
        return List.copyOf(keys);
    }

    /** Whether the key is of the type that the algorithm needs; a key that names an algorithm fits no other. */
    static boolean fits(KeyWrapper key, String algorithm) {
        if (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
            return false;
        }
        if (algorithm.startsWith("RSA")) {
            return key.getPublicKey() instanceof RSAPublicKey rsa && isStrong(rsa);
        }
        return KeyType.EC.equals(key.getType()) || KeyType.OKP.equals(key.getType());
    }

    private static boolean isStrong(RSAPublicKey key) {
        int bits = key.getModulus().bitLength();
        return bits >= MINIMUM_RSA_BITS
                && bits <= MAXIMUM_RSA_BITS
                && key.getModulus().testBit(0)
                && key.getPublicExponent().testBit(0)
                && key.getPublicExponent().compareTo(MINIMUM_RSA_EXPONENT) >= 0;
    }

    private static List<?> jwks(String json) throws IOException {
        try {
            Map<String, Object> set = json == null ? null : JSONObjectUtils.parse(json);
            if (set != null && set.get("keys") instanceof List<?> jwks) {
                return jwks;
            }
        } catch (ParseException e) {
            // The parser's message repeats what it was given.
        }
        throw new IOException("not a JWK Set");
    }

    /** RFC 7517 sections 4.2 and 4.3: a key for signatures is for nothing else. */
    private static boolean isForEncryption(Map<?, ?> jwk) {
        Object use = jwk.get("use");
        Object operations = jwk.get("key_ops");
        return (use == null || "enc".equals(use))
                && (operations == null
                        || operations instanceof Collection<?> all
                                && all.stream().anyMatch(OPERATIONS::contains));
    }

    private static void add(List<KeyWrapper> keys, Map<?, ?> jwk, int position) {
        Map<String, Object> members = JSONObjectUtils.newJSONObject();
        jwk.forEach((name, value) -> members.put((String) name, value));
        members.keySet().retainAll(MEMBERS);
        try {
            KeyWrapper key = key(JWK.parse(members));
            if (isForEncryption(jwk) && key.getPublicKey() != null) {
                keys.add(key);
            }
        } catch (ParseException | JOSEException | GeneralSecurityException | RuntimeException e) {
            // The parser throws what the cast of a member happens to throw. A message could repeat the key's owner.
            logger.debugf(
                    "JWK %d of the set cannot be read: %s",
                    position, e.getClass().getName());
        }
    }

    /** @return without a public key when this is of a type that nothing is encrypted to */
    private static KeyWrapper key(JWK jwk) throws JOSEException, GeneralSecurityException {
        KeyWrapper key = new KeyWrapper();
        key.setKid(jwk.getKeyID());
        key.setAlgorithm(jwk.getAlgorithm() == null ? null : jwk.getAlgorithm().getName());
        key.setUse(jwk.getKeyUse() == null ? null : KeyUse.ENC);
        key.setType(jwk.getKeyType().getValue());
        if (jwk instanceof RSAKey rsa) {
            key.setPublicKey(rsa.toRSAPublicKey());
        } else if (jwk instanceof ECKey ec && NIST_CURVES.contains(ec.getCurve())) {
            key.setCurve(ec.getCurve().getName());
            key.setPublicKey(ec.toECPublicKey());
        } else if (jwk instanceof OctetKeyPair okp && Curve.X25519.equals(okp.getCurve())) {
            key.setCurve(okp.getCurve().getName());
            key.setPublicKey(X25519.decode(okp.getDecodedX()));
        }
        return key;
    }
}
