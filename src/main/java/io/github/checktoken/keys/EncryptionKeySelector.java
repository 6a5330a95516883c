package io.github.checktoken.keys;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.text.ParseException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.jose.AnswerEncrypter;
import io.github.checktoken.jose.X25519;
import org.jboss.logging.Logger;

/** Finds the key of a JWK Set (RFC 7517) that answers are encrypted to. A key that cannot be read spoils no other. */
final class EncryptionKeySelector {

    /** Of the set, in UTF-8. */
    static final int MAX_BYTES = 64 * 1024;

    static final int MAX_KEYS = 50;

    /** It goes into every answer, and is kept with the key. */
    private static final int MAX_KID_CHARACTERS = 1000;

    private static final Logger logger = Logger.getLogger(EncryptionKeySelector.class);

    private static final Set<Curve> NIST_CURVES = Set.of(Curve.P_256, Curve.P_384, Curve.P_521);
    private static final Set<String> OPERATIONS = Set.of("encrypt", "wrapKey", "deriveKey", "deriveBits");

    /** All that is read: neither a private half nor a certificate decides anything here. */
    private static final Set<String> MEMBERS = Set.of("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y");

    /** RFC 7518 section 4.3, and what a server can be asked to compute. */
    private static final int MINIMUM_RSA_BITS = 2048;

    private static final int MAXIMUM_RSA_BITS = 16384;

    /** NIST SP 800-56B section 6.2: with a small one, 1 above all, RSA hides little or nothing. */
    private static final BigInteger MINIMUM_RSA_EXPONENT = BigInteger.valueOf(65537);

    /** The same section. A longer one makes encryption as slow as decryption. */
    private static final int MAXIMUM_RSA_EXPONENT_BITS = 256;

    private EncryptionKeySelector() {}

    /** @return in which respect a set is larger than sets may be, in English; empty when it is not, or is no set */
    static Optional<String> excess(String json) {
        if (isTooLarge(json)) {
            return Optional.of("the JWKS has more than " + MAX_BYTES + " bytes");
        }
        return jwks(json)
                .filter(jwks -> jwks.size() > MAX_KEYS)
                .map(jwks -> "the JWKS has more than " + MAX_KEYS + " keys");
    }

    /**
     * The key that fits best: one that names the algorithm before one that names none, and then one for encryption before
     * one for anything. Only this one is kept, and no more are read than it takes to find it.
     *
     * @param algorithm JWE {@code alg}
     * @return empty when no key of the set fits
     * @throws IOException when this is no JWK Set, or a too large one
     */
    static Optional<KeyWrapper> find(String json, String algorithm) throws IOException {
        String excess = excess(json).orElse(null);
        if (excess != null) {
            throw new IOException(excess);
        }
        List<?> jwks = jwks(json).orElseThrow(() -> new IOException("not a JWK Set"));
        return jwks.stream()
                .flatMap(jwk -> jwk instanceof Map<?, ?> members ? Stream.of(members) : Stream.empty())
                .filter(jwk -> mayFit(jwk, algorithm))
                .sorted(Comparator.<Map<?, ?>, Boolean>comparing(jwk -> jwk.get("alg") == null)
                        .thenComparing(jwk -> jwk.get("use") == null))
                .flatMap(jwk -> read(jwk).stream())
                .filter(key -> !isTooLong(key.getKid()))
                .filter(key -> isStrong(key) && canEncrypt(key, algorithm))
                .findFirst();
    }

    private static boolean isTooLarge(String json) {
        return json.length() > MAX_BYTES || json.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
    }

    private static boolean isTooLong(String kid) {
        return kid != null && kid.length() > MAX_KID_CHARACTERS;
    }

    private static Optional<List<?>> jwks(String json) {
        try {
            Map<String, Object> set = JSONObjectUtils.parse(json);
            return set != null && set.get("keys") instanceof List<?> jwks ? Optional.of(jwks) : Optional.empty();
        } catch (ParseException e) {
            // The parser's message repeats what it was given.
            return Optional.empty();
        }
    }

    /** What a JWK says of itself: RFC 7517 sections 4.1 to 4.4. A key for signatures is for nothing else. */
    private static boolean mayFit(Map<?, ?> jwk, String algorithm) {
        Object use = jwk.get("use");
        Object operations = jwk.get("key_ops");
        Object type = jwk.get("kty");
        return (algorithm.startsWith("RSA")
                        ? KeyType.RSA.getValue().equals(type)
                        : KeyType.EC.getValue().equals(type)
                                || KeyType.OKP.getValue().equals(type))
                && (jwk.get("alg") == null || algorithm.equals(jwk.get("alg")))
                && (use == null || "enc".equals(use))
                && (operations == null
                        || operations instanceof Collection<?> all
                                && all.stream()
                                        .anyMatch(operation -> operation != null && OPERATIONS.contains(operation)));
    }

    private static Optional<KeyWrapper> read(Map<?, ?> jwk) {
        Map<String, Object> members = JSONObjectUtils.newJSONObject();
        jwk.forEach((name, value) -> members.put((String) name, value));
        members.keySet().retainAll(MEMBERS);
        try {
            return Optional.of(key(JWK.parse(members))).filter(key -> key.getPublicKey() != null);
        } catch (ParseException | JOSEException | GeneralSecurityException | RuntimeException e) {
            // The parser throws what the cast of a member happens to throw. A message could repeat the key's owner.
            logger.debugf("A JWK cannot be read: %s", e.getClass().getName());
            return Optional.empty();
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

    private static boolean isStrong(KeyWrapper key) {
        if (key.getPublicKey() instanceof RSAPublicKey rsa) {
            return isStrong(rsa);
        }
        return !(key.getPublicKey() instanceof ECPublicKey ec) || isInField(ec);
    }

    private static boolean isStrong(RSAPublicKey key) {
        int bits = key.getModulus().bitLength();
        BigInteger exponent = key.getPublicExponent();
        return bits >= MINIMUM_RSA_BITS
                && bits <= MAXIMUM_RSA_BITS
                && key.getModulus().testBit(0)
                && exponent.testBit(0)
                && exponent.compareTo(MINIMUM_RSA_EXPONENT) >= 0
                && exponent.bitLength() <= MAXIMUM_RSA_EXPONENT_BITS;
    }

    /** NIST SP 800-56A section 5.6.2.3.4 asks for both coordinates below p; nimbus has seen that the point is on the curve. */
    private static boolean isInField(ECPublicKey key) {
        BigInteger p = ((ECFieldFp) key.getParams().getCurve().getField()).getP();
        return key.getW().getAffineX().compareTo(p) < 0
                && key.getW().getAffineY().compareTo(p) < 0;
    }

    /** Tried once here, so that no answer fails later: what a key looks like is not all that the JDK asks of it. */
    private static boolean canEncrypt(KeyWrapper key, String algorithm) {
        try {
            new AnswerEncrypter(key, algorithm, EncryptionMethod.A128GCM.getName()).encrypt("");
            return true;
        } catch (RuntimeException e) {
            logger.debugf("Nothing can be encrypted to a JWK: %s", e.getClass().getName());
            return false;
        }
    }
}
