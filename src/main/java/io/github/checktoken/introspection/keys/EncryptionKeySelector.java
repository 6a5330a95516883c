package io.github.checktoken.introspection.keys;

import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.Comparator;
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
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.introspection.jose.AnswerEncrypter;
import io.github.checktoken.introspection.jose.X25519;
import org.jboss.logging.Logger;

/** Selects the key of a JWK Set that answers are encrypted to. A key that cannot be read is skipped. */
final class EncryptionKeySelector {

    private static final Logger logger = Logger.getLogger(EncryptionKeySelector.class);

    private static final Set<Curve> NIST_CURVES = Set.of(Curve.P_256, Curve.P_384, Curve.P_521);

    /** The members that are read. Private parts and certificates are ignored. */
    private static final Set<String> MEMBERS = Set.of("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y");

    private EncryptionKeySelector() {}

    /**
     * Selects the key that fits best: keys with {@code alg} come before keys without it, then keys with {@code use} before
     * keys without it. Keys after the selected one are not parsed.
     *
     * @param algorithm JWE {@code alg}
     * @return empty if no key of the set fits
     */
    static Optional<SelectedKey> find(JwkSet set, String algorithm) {
        return set.jwks().stream()
                .flatMap(jwk -> jwk instanceof Map<?, ?> members ? Stream.of(members) : Stream.empty())
                .filter(jwk -> JwkMisfit.of(jwk, algorithm).isEmpty())
                .sorted(Comparator.<Map<?, ?>, Boolean>comparing(jwk -> jwk.get("alg") == null)
                        .thenComparing(jwk -> jwk.get("use") == null))
                .flatMap(jwk -> read(jwk, algorithm).stream())
                .findFirst();
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
