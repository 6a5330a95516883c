package io.github.checktoken.login.evidence;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.keycloak.models.UserSessionModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class UserSessionMethodStoreTest {

    private final Map<String, String> notes = new HashMap<>();
    private int writes;
    private final UserSessionModel userSession = Fake.of(UserSessionModel.class, (method, arguments) -> {
        if (method.equals("setNote")) {
            writes++;
            return notes.put((String) arguments[0], (String) arguments[1]);
        }
        return notes.get(arguments[0]);
    });

    /** A silent request must not write the methods that it has read before another login replaced them. */
    @Test
    void loginWithoutMethodsWritesNothing() {
        UserSessionMethodStore.add(userSession, methods("pin"));
        UserSessionMethodStore.add(userSession, AuthenticationMethods.NONE);
        assertEquals(1, writes);
        assertEquals(methods("pin"), UserSessionMethodStore.of(userSession));
    }

    @Test
    void firstLoginIsNotedEvenWithoutMethods() {
        assertFalse(UserSessionMethodStore.isIn(userSession));
        UserSessionMethodStore.add(userSession, AuthenticationMethods.NONE);
        assertTrue(UserSessionMethodStore.isIn(userSession));
    }

    @Test
    void methodsAreAddedOrReplaced() {
        UserSessionMethodStore.add(userSession, methods("pin"));
        UserSessionMethodStore.add(userSession, methods("mail"));
        assertEquals(methods("pin", "mail"), UserSessionMethodStore.of(userSession));
        UserSessionMethodStore.replace(userSession, AuthenticationMethods.NONE);
        assertEquals(AuthenticationMethods.NONE, UserSessionMethodStore.of(userSession));
    }

    private static AuthenticationMethods methods(String... values) {
        return new AuthenticationMethods(Stream.of(values)
                .map(value -> new AuthenticationMethodUse(value, false, 0, 300))
                .toList());
    }
}
