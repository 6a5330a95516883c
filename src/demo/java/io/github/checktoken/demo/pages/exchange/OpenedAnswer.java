package io.github.checktoken.demo.pages.exchange;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * An answer of checktoken, as far as a data provider has opened it. What it has not come to is null.
 *
 * @param encryption the header of the JWE
 * @param signature the header of the JWS inside
 */
public record OpenedAnswer(JsonNode encryption, JsonNode signature, JsonNode payload, List<Check> checks) {

    /** @return the member {@code token_introspection}; missing if the payload was not reached */
    public JsonNode introspection() {
        return payload == null ? MissingNode.getInstance() : payload.path("token_introspection");
    }

    /** Whether the data provider may serve the service provider. */
    public boolean accepted() {
        return !checks.isEmpty() && checks.stream().allMatch(check -> check.result() == Check.Result.PASSED);
    }

    public boolean inactive() {
        return introspection().has("active") && !introspection().get("active").asBoolean();
    }
}
