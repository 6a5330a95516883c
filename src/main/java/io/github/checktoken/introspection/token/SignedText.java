package io.github.checktoken.introspection.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.jose.jws.JWSHeader;
import org.keycloak.representations.AccessToken;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectReader;
import io.github.checktoken.introspection.jose.CryptoProviders;

/**
 * A JWS in its compact form, decoded once.
 *
 * @param signed what the signature is of
 */
record SignedText(JWSHeader header, byte[] payload, byte[] signed, byte[] signature) {

    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private static final ObjectReader STRICT =
            JsonSerialization.mapper.readerFor(AccessToken.class).with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    /** @return empty if it is no such text, or its header has no algorithm that Keycloak can read */
    static Optional<SignedText> of(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            JWSHeader header = JsonSerialization.readValue(decode(parts[0]), JWSHeader.class);
            byte[] signed = text.substring(0, text.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII);
            return Optional.of(new SignedText(header, decode(parts[1]), signed, decode(parts[2])))
                    .filter(read -> header != null && header.getAlgorithm() != null);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * RFC 7515 section 7.1: without padding. Keycloak's parser drops what is no base64url and what follows the signature, and
     * bits at the end of a part mean nothing. So whoever counts, blocks or caches tokens by their text would take one for many.
     */
    private static byte[] decode(String part) {
        byte[] decoded = DECODER.decode(part);
        byte[] end = Arrays.copyOfRange(decoded, decoded.length / 3 * 3, decoded.length);
        if (part.length() != (decoded.length * 4 + 2) / 3 || !part.endsWith(ENCODER.encodeToString(end))) {
            throw new IllegalArgumentException("Another spelling");
        }
        return decoded;
    }

    /** @return the token if native code verifies it; empty says nothing about the token */
    Optional<AccessToken> verified(KeyWrapper key, String issuer) {
        return CryptoProviders.verifies(key, signed, signature)
                ? token().filter(token -> issuer.equals(token.getIssuer()))
                : Optional.empty();
    }

    /**
     * RFC 7519 section 4. Keycloak reads the last of two claims, and a mapper can add one that Keycloak has set itself,
     * for example {@code sid}.
     *
     * @return empty if it has a claim twice, or is none
     */
    Optional<AccessToken> token() {
        try {
            return Optional.ofNullable(STRICT.readValue(payload));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
