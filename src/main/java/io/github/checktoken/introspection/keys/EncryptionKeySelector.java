package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
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

    /** Of how many keys an error says why they do not fit. */
    private static final int MAX_NAMED = 5;

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
                .filter(jwk -> misfit(jwk, algorithm).isEmpty())
                .sorted(Comparator.<Map<?, ?>, Boolean>comparing(jwk -> jwk.get("alg") == null)
                        .thenComparing(jwk -> jwk.get("use") == null))
                .flatMap(jwk -> read(jwk, algorithm).stream())
                .findFirst();
    }

    /**
     * Why the keys of a set do not fit. It names members only, because their values are the data provider's.
     *
     * @return for each of the first keys its number in the set and the member that does not fit, such as {@code 1: alg}
     */
    static String misfits(String json, String algorithm) {
        List<?> jwks = jwks(json).orElse(List.of());
        if (jwks.isEmpty()) {
            return "there is none";
        }
        return IntStream.range(0, Math.min(jwks.size(), MAX_NAMED))
                .mapToObj(i -> (i + 1) + ": "
                        + (jwks.get(i) instanceof Map<?, ?> jwk
                                ? misfit(jwk, algorithm).orElseGet(() -> unusableValue(jwk))
                                : "no JSON object"))
                .collect(Collectors.joining(", "));
    }

    private static boolean isTooLarge(String json) {
        return json.length() > MAX_BYTES || json.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
    }

    static Optional<List<?>> jwks(String json) {
        try {
            Map<String, Object> set = JSONObjectUtils.parse(json);
            return set != null && set.get("keys") instanceof List<?> jwks ? Optional.of(jwks) : Optional.empty();
        } catch (ParseException e) {
            // The parser's message contains the input.
            return Optional.empty();
        }
    }

    /**
     * Checks what the JWK declares about itself (RFC 7517 sections 4.1 to 4.5). A signature key is never used.
     *
     * @return the member that does not fit
     */
    private static Optional<String> misfit(Map<?, ?> jwk, String algorithm) {
        boolean isRsa = algorithm.startsWith("RSA");
        Set<String> types = isRsa ? Set.of("RSA") : Set.of("EC", "OKP");
        Object kid = jwk.get("kid");
        if (!(jwk.get("kty") instanceof String type) || !types.contains(type)) {
            return Optional.of("kty");
        }
        if (kid != null && !(kid instanceof String text && text.length() <= MAX_KID_CHARACTERS)) {
            return Optional.of("kid");
        }
        if (jwk.get("alg") != null && !algorithm.equals(jwk.get("alg"))) {
            return Optional.of("alg");
        }
        if (jwk.get("use") != null && !"enc".equals(jwk.get("use"))) {
            return Optional.of("use");
        }
        return mayEncrypt(jwk.get("key_ops"), isRsa) ? Optional.empty() : Optional.of("key_ops");
    }

    /** The public half of a pair for a key agreement has no operations: WebCrypto exports it with an empty list. */
    private static boolean mayEncrypt(Object operations, boolean isRsa) {
        return operations == null
                || operations instanceof Collection<?> all
                        && (all.isEmpty() && !isRsa
                                || all.stream()
                                        .anyMatch(operation -> operation != null && OPERATIONS.contains(operation)));
    }

    private static String unusableValue(Map<?, ?> jwk) {
        return "RSA".equals(jwk.get("kty")) ? "n or e" : "crv, x or y";
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
