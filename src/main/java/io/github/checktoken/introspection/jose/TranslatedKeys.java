package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.SignatureSignerContext;

import com.nimbusds.jose.JOSEException;
import org.jboss.logging.Logger;

/**
 * Keys of realms in the form of another security provider, which would otherwise translate them at each answer.
 * Keys of an HSM are not among them, nor keys with which the other provider cannot sign: they stay with their own.
 */
final class TranslatedKeys {

    private static final Logger logger = Logger.getLogger(TranslatedKeys.class);

    /**
     * Forgets a translation when Keycloak has forgotten the key. Keys are compared by value, because a key provider may
     * read the same key anew for each session.
     */
    private final Map<PrivateKey, Optional<PrivateKey>> known = Collections.synchronizedMap(new WeakHashMap<>());

    private final Map<PublicKey, Optional<PublicKey>> published = Collections.synchronizedMap(new WeakHashMap<>());

    /** @return a signer that takes over from Keycloak's if it can, or Keycloak's */
    SignatureSignerContext signer(SignatureSignerContext keycloaks, KeyWrapper key, Provider provider) {
        SignatureOperation operation = new SignatureOperation(key.getAlgorithmOrDefault());
        return isKeycloaksOwn(keycloaks) && key.getPrivateKey() instanceof PrivateKey original && isSoftware(original)
                ? known.computeIfAbsent(original, added -> translate(key, operation, provider))
                        .<SignatureSignerContext>map(
                                translated -> new TranslatedKeySigner(keycloaks, operation, translated, provider))
                        .orElse(keycloaks)
                : keycloaks;
    }

    /** @return false if the other provider does not verify the signature, for whatever reason */
    boolean verifies(KeyWrapper key, byte[] data, byte[] signature, Provider provider) {
        SignatureOperation operation = new SignatureOperation(key.getAlgorithmOrDefault());
        try {
            Optional<PublicKey> translated = key.getPublicKey() instanceof PublicKey original
                    ? published.computeIfAbsent(original, added -> translate(original, operation, provider))
                    : Optional.empty();
            return translated.isPresent() && operation.verify(data, signature, translated.get(), provider);
        } catch (GeneralSecurityException | JOSEException e) {
            return false;
        }
    }

    private static Optional<PublicKey> translate(PublicKey original, SignatureOperation operation, Provider provider) {
        try {
            // The same object could never be forgotten, because the map's value would hold it.
            return Optional.of(operation.translate(original, provider)).filter(translated -> translated != original);
        } catch (GeneralSecurityException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Another extension may sign in its own way, for example in a cloud service. */
    private static boolean isKeycloaksOwn(SignatureSignerContext signer) {
        return signer.getClass().getPackageName().equals(SignatureSignerContext.class.getPackageName());
    }

    /** A handle for a key in an HSM has no format. It is not even asked for its encoding. */
    private static boolean isSoftware(Key key) {
        return "PKCS#8".equals(key.getFormat());
    }

    private static Optional<PrivateKey> translate(KeyWrapper key, SignatureOperation operation, Provider provider) {
        PrivateKey original = (PrivateKey) key.getPrivateKey();
        try {
            PrivateKey translated = operation.translate(original, provider);
            // The same object could never be forgotten, because the map's value would hold it.
            if (translated != original
                    && key.getPublicKey() instanceof PublicKey published
                    && operation.signsAs(translated, published, provider)) {
                logger.debugf("%s signs answers with a key for %s", provider.getName(), operation.joseName());
                return Optional.of(translated);
            }
            logger.debugf("%s does not sign with a key for %s", provider.getName(), operation.joseName());
        } catch (GeneralSecurityException | JOSEException | RuntimeException e) {
            logger.debugf(
                    "%s does not sign with a key for %s: %s",
                    provider.getName(), operation.joseName(), e.getClass().getName());
        }
        return Optional.empty();
    }
}
