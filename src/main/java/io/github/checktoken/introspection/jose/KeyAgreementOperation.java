package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.KeyAgreement;

import com.nimbusds.jose.jwk.Curve;

/** Making an ephemeral key pair and agreeing on a secret with it, on one curve. */
record KeyAgreementOperation(Curve curve) implements AnswerOperation {

    static final List<KeyAgreementOperation> ALL = Stream.of(Curve.P_256, Curve.P_384, Curve.P_521, Curve.X25519)
            .map(KeyAgreementOperation::new)
            .toList();

    /** JCA's name of everything on the other curve. */
    private static final String X25519_NAME = "X25519";

    @Override
    public String joseName() {
        return curve.getName();
    }

    boolean isOnNistCurve() {
        return !Curve.X25519.equals(curve);
    }

    /** Whether both providers compute the same secret, each with its own key pair and the other's public key. */
    @Override
    public boolean works(Provider other, KeyPair rsa) throws GeneralSecurityException {
        Optional<Provider> jvm = Optional.empty();
        Optional<Provider> provider = Optional.of(other);
        KeyPair own = generate(jvm);
        KeyPair its = generate(provider);
        return Arrays.equals(
                agree(own, asReadFromAnswer(its.getPublic()), jvm),
                agree(its, translate(own.getPublic(), provider), provider));
    }

    /** The JVM's X25519 takes only public keys of its own kind, and a data provider decodes the JWK anyway. */
    private PublicKey asReadFromAnswer(PublicKey ephemeral) throws GeneralSecurityException {
        return isOnNistCurve() ? ephemeral : X25519.decode(X25519.encode(ephemeral));
    }

    @Override
    public boolean isMadeByTheJvmsOwn() throws GeneralSecurityException {
        return Stream.of(
                        keyPairGenerator(Optional.empty()).getProvider(),
                        keyAgreement(Optional.empty()).getProvider())
                .allMatch(provider -> provider.getName().equals("SunEC"));
    }

    KeyPair generate(Optional<Provider> provider) throws GeneralSecurityException {
        KeyPairGenerator generator = keyPairGenerator(provider);
        if (isOnNistCurve()) {
            generator.initialize(new ECGenParameterSpec(curve.getStdName()));
        }
        return generator.generateKeyPair();
    }

    /** @param ephemeral made by {@link #generate} */
    byte[] agree(KeyPair ephemeral, Key recipient, Optional<Provider> provider) throws GeneralSecurityException {
        KeyAgreement agreement = keyAgreement(provider);
        agreement.init(ephemeral.getPrivate());
        agreement.doPhase(recipient, true);
        return agreement.generateSecret();
    }

    /** @return the recipient's key in the form of the provider, or as it is for the JVM */
    Key translate(Key recipient, Optional<Provider> provider) throws GeneralSecurityException {
        return provider.isEmpty()
                ? recipient
                : AnswerOperation.translate(recipient, isOnNistCurve() ? "EC" : X25519_NAME, provider.get());
    }

    private KeyPairGenerator keyPairGenerator(Optional<Provider> provider) throws GeneralSecurityException {
        String name = isOnNistCurve() ? "EC" : X25519_NAME;
        return provider.isPresent()
                ? KeyPairGenerator.getInstance(name, provider.get())
                : KeyPairGenerator.getInstance(name);
    }

    private KeyAgreement keyAgreement(Optional<Provider> provider) throws GeneralSecurityException {
        String name = isOnNistCurve() ? "ECDH" : X25519_NAME;
        return provider.isPresent() ? KeyAgreement.getInstance(name, provider.get()) : KeyAgreement.getInstance(name);
    }
}
