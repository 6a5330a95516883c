package io.github.checktoken.support.client;

import java.util.Map;

import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSHeader;

/** An answer of checktoken, decrypted and verified. */
public record Answer(JWEHeader encryption, JWSHeader signature, Map<String, Object> payload) {

    /** @return the member {@code token_introspection} */
    @SuppressWarnings("unchecked")
    public Map<String, Object> introspection() {
        return (Map<String, Object>) payload.get("token_introspection");
    }

    public boolean active() {
        return (boolean) introspection().get("active");
    }
}
