package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.nimbusds.jose.util.JSONObjectUtils;

/**
 * A JWK Set (RFC 7517 section 5) as its owner wrote it.
 *
 * @param jwks what the set says are keys; not even all JSON objects, perhaps
 */
record JwkSet(List<?> jwks) {

    /** The size limit of a set in UTF-8. */
    private static final int MAX_BYTES = JwksRequest.MAX_BYTES;

    private static final int MAX_KEYS = 50;

    /** @throws IOException if the text is not a JWK Set or exceeds a limit; the message is for an administrator */
    static JwkSet parse(String json) throws IOException {
        String excess = excess(json).orElse(null);
        if (excess != null) {
            throw new IOException(excess);
        }
        return of(json).orElseThrow(() -> new IOException("not a JWK Set"));
    }

    /** @return which limit the set exceeds, in English; empty if it exceeds none, or is not a JWK Set */
    static Optional<String> excess(String json) {
        if (json.length() > MAX_BYTES || json.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return Optional.of("the JWKS has more than " + MAX_BYTES + " bytes");
        }
        return of(json).filter(set -> set.jwks().size() > MAX_KEYS)
                .map(set -> "the JWKS has more than " + MAX_KEYS + " keys");
    }

    /** @return empty if the text is not a JWK Set */
    static Optional<JwkSet> of(String json) {
        try {
            Map<String, Object> set = JSONObjectUtils.parse(json);
            return set != null && set.get("keys") instanceof List<?> jwks
                    ? Optional.of(new JwkSet(jwks))
                    : Optional.empty();
        } catch (ParseException e) {
            // The parser's message contains the input.
            return Optional.empty();
        }
    }
}
