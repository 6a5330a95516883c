package io.github.checktoken.testkit;

import java.util.Map;

import io.github.checktoken.testkit.TestKit.JSON;

/** A data provider that is registered at the mock platform. */
public record TestClient(Map<String, Object> members) {

    public String clientId() {
        return (String) members.get("client_id");
    }

    public String secret() {
        return (String) members.get("client_secret");
    }

    /** @param name {@code jws_alg}, {@code jwe_alg}, {@code jwe_enc} or {@code kty} */
    public String agreed(String name) {
        return (String) JSON.object(members.get("agreed")).get(name);
    }

    String notAgreed(String name) {
        return (String) JSON.object(members.get("not_agreed")).get(name);
    }
}
