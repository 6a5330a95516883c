package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.keycloak.common.crypto.CryptoIntegration;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.SignatureSignerContext;

import com.nimbusds.jose.JOSEException;
import org.jboss.logging.Logger;

/**
 * Chooses a security provider for each cryptographic operation of an answer, once at the start: the
 * {@link NativeProvider}, if it is there; for key agreements on the NIST curves, otherwise Keycloak's BouncyCastle, if the
 * JVM would use its own SunEC. The JVM makes the rest, and what a provider does wrong. An administrator's own order of
 * providers and FIPS mode are respected.
 *
 * <p>A key pair and an agreement on P-256 take SunEC 1.4 ms on JDK 17 and 0.6 ms on JDK 25, BouncyCastle 0.24 ms, Conscrypt
 * 0.05 ms. BouncyCastle's multiplication does not take constant time, which is acceptable only for an ephemeral key that is
 * used once.
 */
public final class CryptoProviders {

    private static final Logger logger = Logger.getLogger(CryptoProviders.class);

    /** The name of BouncyCastle outside FIPS mode. */
    static final String BOUNCY_CASTLE = "BC";

    /** Large enough for each operation, and generated in a third of the time of one with 2048 bits. */
    private static final int TEST_KEY_BITS = 1536;

    private static volatile CryptoProviders chosen = new CryptoProviders();

    /** By the name of the operation. The JVM makes those that are missing. */
    private final Map<String, Provider> providers = new LinkedHashMap<>();

    private final TranslatedKeys translatedKeys = new TranslatedKeys();

    private String makers = "Java makes the answers";

    /**
     * Chooses now rather than at the first answer.
     *
     * @return for operators, who makes the answers
     */
    public static String choose(NativeCryptoConfig config) {
        CryptoProviders choice = new CryptoProviders();
        keycloaksBouncyCastle().ifPresent(bouncyCastle -> {
            if (!config.isOff()) {
                NativeProvider.load(CryptoProviders.class.getClassLoader())
                        .ifPresent(provider -> choice.useNative(provider, rsa()));
            }
            choice.useForNistCurves(bouncyCastle);
        });
        chosen = choice;
        return choice.makers;
    }

    static CryptoProviders chosen() {
        return chosen;
    }

    /** @return empty if the JVM's order of providers decides */
    Optional<Provider> find(String operation) {
        return Optional.ofNullable(providers.get(operation));
    }

    /** @return a signer that takes over from Keycloak's if it can, or Keycloak's */
    SignatureSignerContext signer(SignatureSignerContext keycloaks, KeyWrapper key) {
        return find(key.getAlgorithmOrDefault())
                .map(provider -> translatedKeys.signer(keycloaks, key, provider))
                .orElse(keycloaks);
    }

    /** @return whether native code finds that the key has made the signature. If false, Keycloak must check it */
    public static boolean verifies(KeyWrapper key, byte[] data, byte[] signature) {
        CryptoProviders now = chosen;
        return now.find(key.getAlgorithmOrDefault())
                .map(provider -> now.translatedKeys.verifies(key, data, signature, provider))
                .orElse(false);
    }

    void useNative(Provider provider, KeyPair rsa) {
        AnswerOperation.all().forEach(operation -> use(provider, operation, rsa));
        makers = describe(provider);
    }

    private String describe(Provider provider) {
        String rest = AnswerOperation.all().stream()
                .map(AnswerOperation::joseName)
                .filter(name -> !providers.containsKey(name))
                .collect(Collectors.joining(", "));
        return "Native code (%s) makes these operations of answers: %s%s"
                .formatted(
                        NativeProvider.describe(provider),
                        String.join(", ", providers.keySet()),
                        rest.isEmpty() ? "" : "; Java makes " + rest);
    }

    void useForNistCurves(Provider bouncyCastle) {
        KeyAgreementOperation.ALL.stream()
                .filter(KeyAgreementOperation::isOnNistCurve)
                .filter(operation -> !providers.containsKey(operation.joseName()))
                .forEach(operation -> use(bouncyCastle, operation, null));
        logger.debugf(
                "Key agreements on NIST curves: %s",
                find("P-256").map(Provider::getName).orElse("the JVM's provider"));
    }

    private void use(Provider provider, AnswerOperation operation, KeyPair rsa) {
        try {
            if (operation.isMadeByTheJvmsOwn() && operation.works(provider, rsa)) {
                providers.put(operation.joseName(), provider);
            }
        } catch (GeneralSecurityException | JOSEException | RuntimeException e) {
            logger.debugf(
                    "%s is not used for %s: %s",
                    provider.getName(), operation.joseName(), e.getClass().getName());
        }
    }

    static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(TEST_KEY_BITS);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JVM has RSA", e);
        }
    }

    private static Optional<Provider> keycloaksBouncyCastle() {
        return CryptoIntegration.isInitialised()
                ? Optional.ofNullable(CryptoIntegration.getProvider().getBouncyCastleProvider())
                        .filter(provider -> BOUNCY_CASTLE.equals(provider.getName()))
                : Optional.empty();
    }
}
