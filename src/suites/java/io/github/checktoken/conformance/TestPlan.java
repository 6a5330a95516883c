package io.github.checktoken.conformance;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A certification plan of the OpenID Foundation, with one of the response types that it is run with. */
enum TestPlan {
    CONFIG("code"),
    BASIC("code"),
    IMPLICIT_ID_TOKEN("id_token"),
    IMPLICIT_ID_TOKEN_TOKEN("id_token token"),
    HYBRID_CODE_ID_TOKEN("code id_token"),
    HYBRID_CODE_TOKEN("code token"),
    HYBRID_CODE_ID_TOKEN_TOKEN("code id_token token"),
    DYNAMIC("code");

    private final String responseType;

    TestPlan(String responseType) {
        this.responseType = responseType;
    }

    /** @param text the name of a plan, {@code core} for all but the first and the last, or {@code core with token} */
    static Stream<TestPlan> of(String text) {
        if (!text.startsWith("core")) {
            return Stream.of(valueOf(text.toUpperCase()));
        }
        String part = text.substring(text.lastIndexOf(' ') + 1);
        return Arrays.stream(values(), BASIC.ordinal(), DYNAMIC.ordinal())
                .filter(plan -> part.equals("core") || plan.has(part));
    }

    String responseType() {
        return responseType;
    }

    /** Whether the response type has this part. */
    boolean has(String part) {
        return List.of(responseType.split(" ")).contains(part);
    }
}
