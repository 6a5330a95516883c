package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.Provider;
import java.security.interfaces.ECPublicKey;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
 * <p>nimbus does everything but the key agreement: for X25519 it would need a further library; on the NIST curves it
 * passes explicit curve parameters, with which the JDK takes 2.5 times as long as with the named curve.
 */
final class KeyAgreementEncrypter extends ECDHCryptoProvider implements JWEEncrypter {

    private static final Set<Curve> CURVES =
            KeyAgreementOperation.ALL.stream().map(KeyAgreementOperation::curve).collect(Collectors.toSet());

    private final KeyAgreementOperation agreement;
    private final Optional<Provider> provider;
    private final Key recipient;

    /** @param provider makes the key agreement; empty if the JVM decides */
    KeyAgreementEncrypter(Curve curve, Key recipient, Optional<Provider> provider)
            throws JOSEException, GeneralSecurityException {
        super(curve, null);
        this.agreement = new KeyAgreementOperation(curve);
        this.provider = provider;
        this.recipient = agreement.translate(recipient, provider);
    }

    @Override
    public Set<Curve> supportedEllipticCurves() {
        return CURVES;
    }

    @Override
    public JWECryptoParts encrypt(JWEHeader header, byte[] clearText, byte[] aad) throws JOSEException {
        try {
            KeyPair ephemeral = agreement.generate(provider);
            // The given AAD is computed again, because it lacks the ephemeral key (RFC 7516 section 5.1 step 14).
            JWEHeader completed = AnswerEncrypter.encoded(new JWEHeader.Builder(header)
                    .ephemeralPublicKey(asJwk(ephemeral))
                    .build());
            SecretKey secret = new SecretKeySpec(agreement.agree(ephemeral, recipient, provider), "AES");
            return encryptWithZ(completed, secret, clearText, AAD.compute(completed));
        } catch (GeneralSecurityException e) {
            throw new JOSEException("Key agreement failed", e);
        }
    }

    private JWK asJwk(KeyPair pair) {
        Curve curve = agreement.curve();
        return agreement.isOnNistCurve()
                ? new ECKey.Builder(curve, (ECPublicKey) pair.getPublic()).build()
                : new OctetKeyPair.Builder(curve, Base64URL.encode(X25519.encode(pair.getPublic()))).build();
    }
}
