package io.github.checktoken.introspection.jose;

import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link AlgorithmsIT} tests Keycloak's own provider. */
class EcdhProviderTest {

    @Test
    void providerThatComputesTheSameSecretIsUsed() {
        assertTrue(EcdhProvider.agreesWithJvm(Security.getProvider("SunEC")));
    }

    @Test
    void providerWithoutKeyAgreementIsNotUsed() {
        assertFalse(EcdhProvider.agreesWithJvm(new Provider("empty", "1", "no services") {}));
    }

    @Test
    void providerThatComputesAnotherSecretIsNotUsed() {
        assertFalse(EcdhProvider.agreesWithJvm(new WrongEcdh()));
    }

    /** A provider with SunEC's key pairs and a key agreement of its own. */
    private static final class WrongEcdh extends Provider {

        WrongEcdh() {
            super("wrong", "1", "always the same secret");
            Service keyPairs = Security.getProvider("SunEC").getService("KeyPairGenerator", "EC");
            putService(new Service(this, "KeyPairGenerator", "EC", keyPairs.getClassName(), null, null) {
                @Override
                public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                    return keyPairs.newInstance(parameter);
                }
            });
            putService(new Service(this, "KeyAgreement", "ECDH", SameSecret.class.getName(), null, null));
        }
    }

    public static final class SameSecret extends KeyAgreementSpi {

        @Override
        protected void engineInit(Key key, SecureRandom random) {}

        @Override
        protected void engineInit(Key key, AlgorithmParameterSpec parameters, SecureRandom random) {}

        @Override
        protected Key engineDoPhase(Key key, boolean lastPhase) {
            return null;
        }

        @Override
        protected byte[] engineGenerateSecret() {
            return new byte[32];
        }

        @Override
        protected int engineGenerateSecret(byte[] secret, int offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SecretKey engineGenerateSecret(String algorithm) {
            throw new UnsupportedOperationException();
        }
    }
}
