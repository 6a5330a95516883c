package io.github.checktoken.introspection.keys;

import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;

import org.keycloak.crypto.KeyWrapper;

/** Decides whether a public key is strong enough to protect an answer, and whether encryption to it is fast enough. */
final class EncryptionKeyStrength {

    /** RFC 7518 section 4.3. */
    private static final int MINIMUM_RSA_BITS = 2048;

    /** Bounds the time that an encryption takes. */
    private static final int MAXIMUM_RSA_BITS = 16384;

    /** NIST SP 800-56B section 6.2: RSA with a small exponent protects poorly; with 1 it protects nothing. */
    private static final BigInteger MINIMUM_RSA_EXPONENT = BigInteger.valueOf(65537);

    /** NIST SP 800-56B section 6.2 as well. A longer exponent makes encryption as slow as decryption. */
    private static final int MAXIMUM_RSA_EXPONENT_BITS = 256;

    private EncryptionKeyStrength() {}

    static boolean isSufficient(KeyWrapper key) {
        if (key.getPublicKey() instanceof RSAPublicKey rsa) {
            return isStrong(rsa);
        }
        return !(key.getPublicKey() instanceof ECPublicKey ec) || isInField(ec);
    }

    private static boolean isStrong(RSAPublicKey key) {
        int bits = key.getModulus().bitLength();
        BigInteger exponent = key.getPublicExponent();
        return bits >= MINIMUM_RSA_BITS
                && bits <= MAXIMUM_RSA_BITS
                && key.getModulus().testBit(0)
                && exponent.testBit(0)
                && exponent.compareTo(MINIMUM_RSA_EXPONENT) >= 0
                && exponent.bitLength() <= MAXIMUM_RSA_EXPONENT_BITS;
    }

    /**
     * NIST SP 800-56A section 5.6.2.3.4 requires both coordinates to be below p. nimbus has checked that the point is on the
     * curve.
     */
    private static boolean isInField(ECPublicKey key) {
        BigInteger p = ((ECFieldFp) key.getParams().getCurve().getField()).getP();
        return key.getW().getAffineX().compareTo(p) < 0
                && key.getW().getAffineY().compareTo(p) < 0;
    }
}
