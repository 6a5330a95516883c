package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.KeyAgreement;

import org.keycloak.common.crypto.CryptoIntegration;

import org.jboss.logging.Logger;

/**
 * Chooses the security provider for key agreements on the NIST curves, once for this JVM. If the JVM would use its own
 * SunEC, Keycloak's BouncyCastle is used, which takes less than half of the time: it does not multiply a point to
 * validate the recipient's key, which was validated when it was read. An administrator's own order of providers and FIPS
 * mode are respected.
 *
 * <p>BouncyCastle's multiplication does not take constant time. That is acceptable only for an ephemeral key, which is
 * used once.
 */
public final class EcdhProvider {

    private static final Logger logger = Logger.getLogger(EcdhProvider.class);

    private static final String JVM_DEFAULT = "SunEC";

    /** The name of BouncyCastle outside FIPS mode. */
    private static final String BOUNCY_CASTLE = "BC";

    /** Empty if the JVM's order of providers decides. */
    private static final Optional<Provider> CHOSEN = isDefaultOrder() ? keycloaks() : Optional.empty();

    private EcdhProvider() {}

    /** Makes the choice now rather than at the first answer, and logs it for operators. */
    public static void choose() {
        logger.debugf(
                "Key agreements on NIST curves: %s",
                CHOSEN.map(Provider::getName).orElse("the JVM's provider"));
    }

    /** @param curve the standard name of a NIST curve, such as {@code secp256r1} */
    static KeyPair generate(String curve) throws GeneralSecurityException {
        return generate(curve, CHOSEN);
    }

    /** @param ephemeral made by {@link #generate} */
    static byte[] agree(KeyPair ephemeral, Key recipient) throws GeneralSecurityException {
        return agree(ephemeral, recipient, CHOSEN);
    }

    /** Whether both providers compute the same secret, each with its own key pair and the other's public key. */
    static boolean agreesWithJvm(Provider provider) {
        Optional<Provider> jvm = Optional.empty();
        Optional<Provider> other = Optional.of(provider);
        try {
            KeyPair own = generate("secp256r1", jvm);
            KeyPair its = generate("secp256r1", other);
            return Arrays.equals(agree(own, its.getPublic(), jvm), agree(its, own.getPublic(), other));
        } catch (GeneralSecurityException | RuntimeException e) {
            logger.debugf(
                    "%s is not used for key agreements: %s",
                    provider.getName(), e.getClass().getName());
            return false;
        }
    }

    private static boolean isDefaultOrder() {
        try {
            return JVM_DEFAULT.equals(
                            KeyPairGenerator.getInstance("EC").getProvider().getName())
                    && JVM_DEFAULT.equals(
                            KeyAgreement.getInstance("ECDH").getProvider().getName());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Optional<Provider> keycloaks() {
        return CryptoIntegration.isInitialised()
                ? Optional.ofNullable(CryptoIntegration.getProvider().getBouncyCastleProvider())
                        .filter(provider -> BOUNCY_CASTLE.equals(provider.getName()))
                        .filter(EcdhProvider::agreesWithJvm)
                : Optional.empty();
    }

    private static KeyPair generate(String curve, Optional<Provider> provider) throws GeneralSecurityException {
        KeyPairGenerator generator = provider.isPresent()
                ? KeyPairGenerator.getInstance("EC", provider.get())
                : KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        return generator.generateKeyPair();
    }

    private static byte[] agree(KeyPair own, Key other, Optional<Provider> provider) throws GeneralSecurityException {
        KeyAgreement agreement = provider.isPresent()
                ? KeyAgreement.getInstance("ECDH", provider.get())
                : KeyAgreement.getInstance("ECDH");
        agreement.init(own.getPrivate());
        agreement.doPhase(other, true);
        return agreement.generateSecret();
    }
}
