package io.github.checktoken.introspection.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.jose.jws.JWSHeader;
import org.keycloak.representations.AccessToken;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
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

    /** What Keycloak sets in every access token, in the order in which it writes it. */
    private static final List<String> ORDER = order();

    private static List<String> order() {
        AccessToken token = new AccessToken();
        token.exp(1L)
                .iat(1L)
                .id("jti")
                .issuer("iss")
                .audience("aud")
                .subject("sub")
                .type("typ");
        List<String> names = new ArrayList<>();
        JsonSerialization.mapper.valueToTree(token).fieldNames().forEachRemaining(names::add);
        return List.copyOf(names);
    }

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

    /**
     * Whether it may be a token of Keycloak's {@code AccessToken}. A signed userinfo response can have all claims of one,
     * because a mapper of roles can set any claim there; but {@code UserInfoEndpoint} writes a {@code HashMap}, in which no
     * number of claims gives them this order.
     */
    boolean isInOrderOfAccessToken() {
        try (JsonParser parser = JsonSerialization.mapper.createParser(payload)) {
            int last = -1;
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                int place = ORDER.indexOf(parser.currentName());
                if (place >= 0 && place < last) {
                    return false;
                }
                last = Math.max(place, last);
                parser.nextToken();
                parser.skipChildren();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
