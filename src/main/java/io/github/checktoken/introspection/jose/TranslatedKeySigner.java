package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Provider;

import org.keycloak.crypto.SignatureException;
import org.keycloak.crypto.SignatureSignerContext;

import com.nimbusds.jose.JOSEException;

/**
 * Signs in the place of Keycloak's signer, with the same key in the form of another provider. What the header says is
 * Keycloak's.
 */
record TranslatedKeySigner(
        SignatureSignerContext keycloaks, SignatureOperation operation, PrivateKey key, Provider provider)
        implements SignatureSignerContext {

    @Override
    public String getKid() {
        return keycloaks.getKid();
    }

    @Override
    public String getAlgorithm() {
        return keycloaks.getAlgorithm();
    }

    @Override
    public String getHashAlgorithm() {
        return keycloaks.getHashAlgorithm();
    }

    @Override
    public byte[] sign(byte[] data) throws SignatureException {
        try {
            return operation.sign(data, key, provider);
        } catch (GeneralSecurityException | JOSEException e) {
            throw new SignatureException("Signing failed", e);
        }
    }
}
