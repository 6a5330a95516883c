package io.github.checktoken.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReasonTest {

    /** nimbus-jose-jwt does not say that a member is there twice, only that the JSON is malformed. */
    @Test
    void idsOfAnswersAreThoseOfTheTestKit() {
        List<String> ids = Arrays.stream(Reason.values())
                .filter(reason -> reason.status() == 503)
                .map(Reason::id)
                .toList();
        List<String> known = new ArrayList<>(TestCheckToken.KIT.reasons());
        known.remove("duplicate-member");
        assertEquals(known, ids);
    }

    @Test
    void theServiceProviderIsToBlameOnlyForItsToken() {
        assertEquals(
                List.of(Reason.INACTIVE, Reason.NOT_A_PERSON, Reason.BINDING_NOT_CHECKED, Reason.WRONG_BINDING),
                Arrays.stream(Reason.values())
                        .filter(reason -> reason.status() == 401)
                        .collect(Collectors.toList()));
        assertEquals(403, Reason.MISSING_SCOPE.status());
    }

    @Test
    void eachErrorSaysWhatToDo() {
        for (Reason reason : Reason.values()) {
            String message = new CheckTokenException(reason).getMessage();
            assertTrue(message.startsWith(reason.id() + ": ") && message.endsWith("."), message);
        }
    }
}
