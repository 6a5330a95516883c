package io.github.checktoken.login.evidence;

import java.util.List;

import io.github.checktoken.keycloak.CurrentTime;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class MaxAgeTest {

    @Test
    void withZeroNotEvenTheLoginOfThisSecondCounts() {
        assertEquals(AuthenticationMethods.NONE, limited(0, 0));
    }

    @Test
    void methodCountsUntilItIsOlder() {
        assertEquals(1, limited(60, 55).uses().size());
        assertEquals(0, limited(60, 65).uses().size());
    }

    @Test
    void withoutALimitEveryMethodCounts() {
        assertEquals(1, limited(null, 1_000_000).uses().size());
    }

    private static AuthenticationMethods limited(Integer maxAge, int age) {
        AuthenticationMethods earlier = new AuthenticationMethods(List.of(new AuthenticationMethodUse(
                "pwd", false, CurrentTime.seconds() - age, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION)));
        return new MaxAge(maxAge).limit(earlier);
    }
}
