package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import io.github.checktoken.introspection.jose.AnswerEncrypter;
import io.github.checktoken.introspection.jose.X25519;
import org.jboss.logging.Logger;

/** Selects the key of a JWK Set (RFC 7517) that answers are encrypted to. A key that cannot be read is skipped. */
final class EncryptionKeySelector {

    /** The size limit of a set in UTF-8. */
    private static final int MAX_BYTES = JwksRequest.MAX_BYTES;

    static final int MAX_KEYS = 50;

    /** Limits the kid, because it is written into every answer and kept with the key. */
    private static final int MAX_KID_CHARACTERS = 1000;

    private static final Logger logger = Logger.getLogger(EncryptionKeySelector.class);

    private static final Set<Curve> NIST_CURVES = Set.of(Curve.P_256, Curve.P_384, Curve.P_521);
    private static final Set<String> OPERATIONS = Set.of("encrypt", "wrapKey", "deriveKey", "deriveBits");

    /** The members that are read. Private parts and certificates are ignored. */
    private static final Set<String> MEMBERS = Set.of("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y");

    private EncryptionKeySelector() {}

    /** @return which limit the set exceeds, in English; empty if it exceeds none, or is not a JWK Set */
    static Optional<String> excess(String json) {
        if (isTooLarge(json)) {
            return Optional.of("the JWKS has more than " + MAX_BYTES + " bytes");
        }
        return jwks(json)
                .filter(jwks -> jwks.size() > MAX_KEYS)
                .map(jwks -> "the JWKS has more than " + MAX_KEYS + " keys");
    }

    /**
     * Selects the key that fits best: keys with {@code alg} come before keys without it, then keys with {@code use} before
     * keys without it. Keys after the selected one are not parsed.
     *
     * @param algorithm JWE {@code alg}
     * @return empty if no key of the set fits
     * @throws IOException if the text is not a JWK Set or exceeds a limit; the message is for an administrator
     */
    static Optional<SelectedKey> find(String json, String algorithm) throws IOException {
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
                .flatMap(jwk -> read(jwk, algorithm).stream())
                .findFirst();
    }

    private static boolean isTooLarge(String json) {
        return json.length() > MAX_BYTES || json.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
    }

    private static Optional<List<?>> jwks(String json) {
        try {
            Map<String, Object> set = JSONObjectUtils.parse(json);
            return set != null && set.get("keys") instanceof List<?> jwks ? Optional.of(jwks) : Optional.empty();
        } catch (ParseException e) {
            // The parser's message contains the input.
            return Optional.empty();
        }
    }

    /** Checks what the JWK declares about itself (RFC 7517 sections 4.1 to 4.4). A signature key is never used. */
    private static boolean mayFit(Map<?, ?> jwk, String algorithm) {
        Object use = jwk.get("use");
        Object operations = jwk.get("key_ops");
        Object type = jwk.get("kty");
        return (algorithm.startsWith("RSA")
                        ? KeyType.RSA.getValue().equals(type)
                        : KeyType.EC.getValue().equals(type)
                                || KeyType.OKP.getValue().equals(type))
                && Objects.toString(jwk.get("kid"), "").length() <= MAX_KID_CHARACTERS
                && (jwk.get("alg") == null || algorithm.equals(jwk.get("alg")))
                && (use == null || "enc".equals(use))
                && (operations == null
                        || operations instanceof Collection<?> all
                                && all.stream()
                                        .anyMatch(operation -> operation != null && OPERATIONS.contains(operation)));
    }

    /**
     * Encrypts once, because the JDK rejects some keys only when they are used. Otherwise each answer to such a key
     * would fail.
     */
    private static Optional<SelectedKey> read(Map<?, ?> jwk, String algorithm) {
        Map<String, Object> members = JSONObjectUtils.newJSONObject();
        jwk.forEach((name, value) -> members.put((String) name, value));
        members.keySet().retainAll(MEMBERS);
        try {
            KeyWrapper key = key(JWK.parse(members));
            if (!EncryptionKeyStrength.isSufficient(key)) {
                return Optional.empty();
            }
            AnswerEncrypter encrypter = new AnswerEncrypter(key, algorithm);
            encrypter.encrypt("", EncryptionMethod.A128GCM.getName());
            return Optional.of(SelectedKey.of(encrypter, jwk));
        } catch (ParseException | JOSEException | GeneralSecurityException | RuntimeException e) {
            // The parser also throws unchecked exceptions, such as ClassCastException. Its messages could contain the
            // input.
            logger.debugf("A JWK cannot be used: %s", e.getClass().getName());
            return Optional.empty();
        }
    }

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
        } else {
            throw new GeneralSecurityException("Nothing can be encrypted to a key of this type");
        }
        return key;
    }
}
