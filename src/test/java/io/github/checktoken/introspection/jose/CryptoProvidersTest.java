package io.github.checktoken.introspection.jose;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;

import org.keycloak.common.crypto.CryptoIntegration;
import org.keycloak.common.crypto.CryptoProvider;

import io.github.checktoken.support.Fake;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CryptoProvidersTest {

    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();

    private static final KeyPair RSA_KEY = CryptoProviders.rsa();

    private static final Set<String> RSA = Set.of(
            "RS256",
            "RS384",
            "RS512",
            "PS256",
            "PS384",
            "PS512",
            "RSA-OAEP",
            "RSA-OAEP-256",
            "RSA-OAEP-384",
            "RSA-OAEP-512");
    private static final Set<String> OTHERS =
            Set.of("ES256", "ES384", "ES512", "EdDSA", "P-256", "P-384", "P-521", "X25519");
    private static final Set<String> ALL =
            Stream.of(RSA, OTHERS).flatMap(Set::stream).collect(Collectors.toSet());

    /** Keycloak does it, too. */
    @BeforeEach
    void registerBouncyCastle() {
        Security.addProvider(BOUNCY_CASTLE);
    }

    @AfterEach
    void forgetKeycloak() {
        Security.removeProvider(BOUNCY_CASTLE.getName());
        CryptoIntegration.setProvider(null);
        CryptoProviders.choose(new NativeCryptoConfig(false));
    }

    @Test
    void conscryptMakesEveryOperation() {
        assertEquals(ALL, madeBy(new OpenSSLProvider()));
    }

    @Test
    void providerWithoutServicesMakesNothing() {
        assertEquals(Set.of(), madeBy(new Provider("empty", "1", "no services") {}));
    }

    /** Each is Conscrypt but for one service. */
    @ParameterizedTest
    @CsvSource({
        "Signature,        SHA256withECDSA,                       ES256",
        "Signature,        SHA512withRSA,                         RS512",
        "Signature,        SHA384withRSAandMGF1,                  PS384",
        "Signature,        Ed25519,                               EdDSA",
        "KeyAgreement,     ECDH,                                  P-256 P-384 P-521",
        "KeyAgreement,     X25519,                                X25519",
        "KeyPairGenerator, EC,                                    P-256 P-384 P-521",
        "KeyFactory,       EC,                                    ES256 ES384 ES512 P-256 P-384 P-521",
        "KeyFactory,       RSA, RS256 RS384 RS512 PS256 PS384 PS512 RSA-OAEP RSA-OAEP-256 RSA-OAEP-384 RSA-OAEP-512",
        "AlgorithmParameters, OAEP, RSA-OAEP-256 RSA-OAEP-384 RSA-OAEP-512",
        "Cipher,           RSA/ECB/OAEPWithSHA-256AndMGF1Padding, RSA-OAEP-256"
    })
    void operationThatIsMissingStaysWithTheJvm(String type, String service, String operations) {
        assertEquals(without(operations), madeBy(Changed.without(type, service)));
    }

    @ParameterizedTest
    @CsvSource({
        "SHA256withECDSA,      ES256",
        "SHA384withECDSA,      ES384",
        "SHA256withRSA,        RS256",
        "SHA512withRSAandMGF1, PS512",
        "Ed25519,              EdDSA"
    })
    void providerThatSignsWronglyIsNotUsed(String service, String operation) {
        assertEquals(without(operation), madeBy(Changed.with("Signature", service, SameSignature.class)));
    }

    /** It signs as it should, but would take each forged token for one of the realm. */
    @Test
    void providerThatVerifiesEverythingIsNotUsed() {
        assertEquals(without("RS256"), madeBy(Changed.with("Signature", "SHA256withRSA", VerifiesEverything.class)));
    }

    @ParameterizedTest
    @CsvSource({"ECDH, P-256 P-384 P-521", "X25519, X25519"})
    void providerThatComputesAnotherSecretIsNotUsed(String service, String operations) {
        assertEquals(without(operations), madeBy(Changed.with("KeyAgreement", service, SameSecret.class)));
    }

    /** With another hash in its place, the JVM cannot decrypt. */
    @Test
    void providerThatEncryptsWronglyIsNotUsed() {
        assertEquals(
                without("RSA-OAEP-256"),
                madeBy(new Changed(
                        "Cipher",
                        "RSA/ECB/OAEPWithSHA-256AndMGF1Padding",
                        new OpenSSLProvider().getService("Cipher", "RSA/ECB/PKCS1Padding"))));
    }

    /** Every operation of the provider that the administrator has put first stays there. */
    @ParameterizedTest
    @CsvSource({
        "Signature.SHA256withECDSA,                   ES256",
        "Signature.SHA256withRSA,                      RS256",
        "Signature.SHA384withRSAandMGF1,               PS384",
        "KeyPairGenerator.EC,                          P-256 P-384 P-521",
        "KeyAgreement.ECDH,                            P-256 P-384 P-521",
        "KeyAgreement.X25519,                          X25519",
        "Cipher.RSA, RSA-OAEP RSA-OAEP-256 RSA-OAEP-384 RSA-OAEP-512"
    })
    void administratorsOrderOfProvidersIsRespected(String service, String operations) {
        String[] type = service.split("\\.", 2);
        Provider first = new Copy(type[0], type[1]);
        Security.insertProviderAt(first, 1);
        try {
            assertEquals(without(operations), madeBy(new OpenSSLProvider()));
        } finally {
            Security.removeProvider(first.getName());
        }
    }

    /** SunEC in its place could also make X25519. */
    @Test
    void bouncyCastleMakesOnlyAgreementsOnNistCurves() {
        CryptoProviders providers = new CryptoProviders();
        providers.useForNistCurves(Security.getProvider("SunEC"));
        assertEquals(Set.of("P-256", "P-384", "P-521"), made(providers));
    }

    @ParameterizedTest
    @CsvSource({"ECDH, BC", "none, Changed"})
    void bouncyCastleMakesTheAgreementsThatAreNotNative(String missing, String maker) {
        CryptoProviders providers = new CryptoProviders();
        providers.useNative(Changed.without("KeyAgreement", missing), RSA_KEY);
        providers.useForNistCurves(BOUNCY_CASTLE);

        for (String curve : List.of("P-256", "P-384", "P-521")) {
            assertEquals(maker, providers.find(curve).orElseThrow().getName());
        }
        assertEquals("Changed", providers.find("ES256").orElseThrow().getName());
    }

    @ParameterizedTest
    @CsvSource({"BC, false, 18", "BC, true, 0", "BCFIPS, false, 0"})
    void nativeCodeIsUsedUnlessItIsOffOrInFipsMode(String bouncyCastle, boolean off, int operations) {
        CryptoIntegration.setProvider(keycloak(new Provider(bouncyCastle, "1", "Keycloak's") {}));

        CryptoProviders.choose(new NativeCryptoConfig(off));

        assertEquals(operations, made(CryptoProviders.chosen()).size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void conscryptIsNeverRegisteredWithTheJvm(boolean off) {
        CryptoIntegration.setProvider(keycloak(new Provider("BC", "1", "Keycloak's") {}));

        CryptoProviders.choose(new NativeCryptoConfig(off));

        assertTrue(Stream.of(Security.getProviders())
                .noneMatch(provider -> provider.getName().equals("Conscrypt")));
    }

    private static Set<String> without(String operations) {
        Set<String> rest = new TreeSet<>(ALL);
        rest.removeAll(Set.of(operations.split(" ")));
        return rest;
    }

    private static Set<String> madeBy(Provider provider) {
        CryptoProviders providers = new CryptoProviders();
        providers.useNative(provider, RSA_KEY);
        return made(providers);
    }

    private static Set<String> made(CryptoProviders providers) {
        return ALL.stream()
                .filter(operation -> providers.find(operation).isPresent())
                .collect(Collectors.toSet());
    }

    private static CryptoProvider keycloak(Provider bouncyCastle) {
        return Fake.of(CryptoProvider.class, Map.of("getBouncyCastleProvider", bouncyCastle));
    }

    /** Conscrypt with another implementation of one service, or without it. */
    private static final class Changed extends Provider {

        private final Provider conscrypt = new OpenSSLProvider();
        private final String type;
        private final String name;
        private final Service replacement;

        Changed(String type, String name, Service replacement) {
            super("Changed", "1", "Conscrypt but for one service");
            this.type = type;
            this.name = name;
            this.replacement = replacement;
        }

        static Changed without(String type, String name) {
            return new Changed(type, name, null);
        }

        static Changed with(String type, String name, Class<?> replacement) {
            return new Changed(
                    type, name, new Service(new OpenSSLProvider(), type, name, replacement.getName(), null, null) {
                        @Override
                        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                            try {
                                return replacement.getDeclaredConstructor().newInstance();
                            } catch (ReflectiveOperationException e) {
                                throw new NoSuchAlgorithmException(e);
                            }
                        }
                    });
        }

        @Override
        public Service getService(String wantedType, String wantedName) {
            return wantedType.equals(type) && wantedName.equals(name)
                    ? replacement
                    : conscrypt.getService(wantedType, wantedName);
        }
    }

    /** Has one service, which the JVM also has. */
    private static final class Copy extends Provider {

        Copy(String type, String name) {
            super("first", "1", "of the administrator");
            Service service = Stream.of(Security.getProviders())
                    .map(provider -> provider.getService(type, name))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            putService(new Service(this, type, name, service.getClassName(), null, null) {
                @Override
                public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                    return service.newInstance(parameter);
                }
            });
        }
    }

    /** Signs as Conscrypt does. */
    public static final class VerifiesEverything extends SignatureSpi {

        private final Signature conscrypt;

        public VerifiesEverything() throws NoSuchAlgorithmException {
            conscrypt = Signature.getInstance("SHA256withRSA", new OpenSSLProvider());
        }

        @Override
        protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
            conscrypt.initSign(key);
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            conscrypt.initVerify(key);
        }

        @Override
        protected void engineUpdate(byte one) throws SignatureException {
            conscrypt.update(one);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int length) throws SignatureException {
            conscrypt.update(bytes, offset, length);
        }

        @Override
        protected byte[] engineSign() throws SignatureException {
            return conscrypt.sign();
        }

        @Override
        protected boolean engineVerify(byte[] signature) {
            return true;
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {}

        @Override
        @Deprecated
        protected Object engineGetParameter(String name) {
            return null;
        }
    }

    /** Signs everything alike. */
    public static final class SameSignature extends SignatureSpi {

        @Override
        protected void engineInitSign(PrivateKey key) {}

        @Override
        protected void engineInitVerify(PublicKey key) {}

        @Override
        protected void engineSetParameter(AlgorithmParameterSpec parameters) {}

        @Override
        protected void engineUpdate(byte one) {}

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int length) {}

        /** A sequence of the integers 1 and 1, as ECDSA has it. */
        @Override
        protected byte[] engineSign() {
            return new byte[] {0x30, 6, 2, 1, 1, 2, 1, 1};
        }

        @Override
        protected boolean engineVerify(byte[] signature) {
            return true;
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {}

        @Override
        @Deprecated
        protected Object engineGetParameter(String name) {
            return null;
        }
    }

    /** Agrees on the same secret with everybody. */
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
