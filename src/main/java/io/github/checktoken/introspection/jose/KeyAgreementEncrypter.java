package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Set;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWECryptoParts;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.impl.AAD;
import com.nimbusds.jose.crypto.impl.ECDHCryptoProvider;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;

/**
 * Encrypts with ECDH-ES, with and without key wrap, on the NIST curves and X25519 (RFC 7518 section 4.6, RFC 8037
 * section 3.2).
 *
 * <p>nimbus does everything but the key agreement: for X25519 it would need a further library, so the JDK makes it; on
 * the NIST curves it passes explicit curve parameters, with which the JDK takes 2.5 times as long as with the named
 * curve, so {@link EcdhProvider} makes it.
 */
final class KeyAgreementEncrypter extends ECDHCryptoProvider implements JWEEncrypter {

    private static final Set<Curve> CURVES = Set.of(Curve.P_256, Curve.P_384, Curve.P_521, Curve.X25519);

    private final Curve curve;
    private final Key recipient;

    KeyAgreementEncrypter(Curve curve, Key recipient) throws JOSEException {
        super(curve, null);
        this.curve = curve;
        this.recipient = recipient;
    }

    @Override
    public Set<Curve> supportedEllipticCurves() {
        return CURVES;
    }

    @Override
    public JWECryptoParts encrypt(JWEHeader header, byte[] clearText, byte[] aad) throws JOSEException {
        try {
            KeyPair ephemeral = generate();
            // The given AAD is computed again, because it lacks the ephemeral key (RFC 7516 section 5.1 step 14).
            JWEHeader completed = AnswerEncrypter.encoded(new JWEHeader.Builder(header)
                    .ephemeralPublicKey(asJwk(ephemeral))
                    .build());
            return encryptWithZ(completed, agree(ephemeral), clearText, AAD.compute(completed));
        } catch (GeneralSecurityException e) {
            throw new JOSEException("Key agreement failed", e);
        }
    }

    private KeyPair generate() throws GeneralSecurityException {
        if (!isX25519()) {
            return EcdhProvider.generate(curve.getStdName());
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("XDH");
        generator.initialize(NamedParameterSpec.X25519);
        return generator.generateKeyPair();
    }

    private SecretKey agree(KeyPair ephemeral) throws GeneralSecurityException {
        return new SecretKeySpec(
                isX25519() ? agreeOnX25519(ephemeral) : EcdhProvider.agree(ephemeral, recipient), "AES");
    }

    private byte[] agreeOnX25519(KeyPair ephemeral) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("XDH");
        agreement.init(ephemeral.getPrivate());
        agreement.doPhase(recipient, true);
        return agreement.generateSecret();
    }

    private JWK asJwk(KeyPair pair) {
        return isX25519()
                ? new OctetKeyPair.Builder(curve, Base64URL.encode(X25519.encode(pair.getPublic()))).build()
                : new ECKey.Builder(curve, (ECPublicKey) pair.getPublic()).build();
    }

    private boolean isX25519() {
        return Curve.X25519.equals(curve);
    }
}
