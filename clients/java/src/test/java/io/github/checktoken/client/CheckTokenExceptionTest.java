package io.github.checktoken.client;

import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CheckTokenExceptionTest {

    private static final Set<String> REASONS =
            ResourceBundle.getBundle("io.github.checktoken.client.reasons").keySet().stream()
                    .filter(name -> !name.startsWith("status-"))
                    .collect(Collectors.toSet());

    @Test
    void reasonsAreThoseOfTheTestKitAndOurOwn() {
        Set<String> known = new TreeSet<>(TestCheckToken.KIT.reasons());
        known.addAll(List.of("configuration", "no-token", "inactive", "machine", "not-proven", "insufficient-scope"));
        assertEquals(known, new TreeSet<>(REASONS));
    }

    @Test
    void theServiceProviderIsToBlameOnlyForItsToken() {
        assertEquals(
                Set.of("no-token", "inactive", "machine", "not-proven"),
                REASONS.stream()
                        .filter(reason -> new CheckTokenException(reason, "").status() == 401)
                        .collect(Collectors.toSet()));
        assertEquals(403, new CheckTokenException("insufficient-scope", "").status());
    }

    @Test
    void eachErrorSaysWhatToDo() {
        for (String reason : REASONS) {
            String message = new CheckTokenException(reason, "").getMessage();
            assertTrue(message.startsWith(reason + ": ") && message.endsWith("."), message);
        }
    }
}
