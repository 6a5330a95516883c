package io.github.checktoken.introspection.token;

import java.util.stream.IntStream;

import org.keycloak.models.ClientModel;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AudienceCheckTest {

    private final ClientModel caller = FakeClients.dataProvider("caller");
    private final AudienceCheck check = new AudienceCheck(
            FakeClients.session(caller, FakeClients.dataProvider("other"), FakeClients.client("account")), caller);

    @Test
    void tokenThatNamesNoDataProviderIsForAll() {
        assertTrue(isAccepted());
        assertTrue(isAccepted("account", "https://api.example.org"));
        assertTrue(check.rejection(null).isEmpty());
    }

    @Test
    void tokenThatNamesAnotherDataProviderIsForThatOne() {
        assertFalse(isAccepted("other"));
        assertFalse(isAccepted("account", "other", "https://api.example.org"));
    }

    @Test
    void tokenThatNamesTheCallerIsForTheCallerWhoeverElseIsNamed() {
        assertTrue(isAccepted("caller"));
        assertTrue(isAccepted("other", "account", "caller"));
    }

    @Test
    void tokenWithMoreNamesThanAreLookedUpIsRejected() {
        assertTrue(isAccepted(names(AudienceCheck.LIMIT)));
        assertFalse(isAccepted(names(AudienceCheck.LIMIT + 1)));
    }

    private boolean isAccepted(String... audience) {
        return check.rejection(audience).isEmpty();
    }

    private static String[] names(int number) {
        return IntStream.range(0, number).mapToObj(i -> "name " + i).toArray(String[]::new);
    }
}
