package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Converts X25519 public keys between the 32 raw octets of a JWK (RFC 8037 section 2) and the JDK's form. */
public final class X25519 {

    private static final int LENGTH = 32;

    /** The bytes before the raw octets in a SubjectPublicKeyInfo (RFC 8410 section 4). */
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b656e032100");

    private X25519() {}

    /**
     * Checks the length only. The JDK rejects a point of small order when the key is used.
     *
     * @param raw 32 octets, the least significant first
     */
    public static PublicKey decode(byte[] raw) throws GeneralSecurityException {
        if (raw.length != LENGTH) {
            throw new InvalidKeyException("An X25519 key has 32 octets, not " + raw.length);
        }
        byte[] encoded = Arrays.copyOf(PREFIX, PREFIX.length + LENGTH);
        System.arraycopy(raw, 0, encoded, PREFIX.length, LENGTH);
        return KeyFactory.getInstance("X25519").generatePublic(new X509EncodedKeySpec(encoded));
    }

    /** @return 32 octets, the least significant first */
    static byte[] encode(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - LENGTH, encoded.length);
    }
}
