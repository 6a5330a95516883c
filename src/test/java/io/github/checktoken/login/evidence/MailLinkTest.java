package io.github.checktoken.login.evidence;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** The link of a mail to Anna was opened. */
class MailLinkTest {

    private final UserModel anna = Fake.of(UserModel.class, Map.of("getId", "anna"));
    private final Map<String, String> notes = new HashMap<>(Map.of("ACTION_TOKEN_USER", "anna"));
    private final AuthenticationSessionModel authSession =
            Fake.of(AuthenticationSessionModel.class, (method, arguments) -> switch (method) {
                case "getAuthNote" -> notes.get(arguments[0]);
                case "removeAuthNote" -> notes.remove(arguments[0]);
                default -> throw new UnsupportedOperationException(method);
            });

    /** Keycloak's types of links, but for those with which somebody signs in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "execute-actions",
                "idp-verify-account-via-email",
                "ORGIVT",
                "update-email",
                "verify-email",
                "credential-offer"
            })
    void linkForOneActionSignsNobodyIn(String type) {
        assertForOneAction(true, link(type));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reset-credentials", "of-another-extension"})
    void otherLinkMayBeThereToSignIn(String type) {
        assertForOneAction(false, link(type));
    }

    @Test
    void whatIsNoLinkIsForNoAction() {
        assertForOneAction(false, "verify-email");
    }

    @Test
    void linkIdentifiesNobodyElse() {
        notes.put("key", link("verify-email"));
        UserModel bruno = Fake.of(UserModel.class, Map.of("getId", "bruno"));
        assertFalse(MailLink.isOf(bruno, authSession));
        assertFalse(MailLink.isForOneActionOf(bruno, authSession));
    }

    private void assertForOneAction(boolean expected, String link) {
        notes.put("key", link);
        assertEquals(expected, MailLink.isForOneActionOf(anna, authSession));
        MailLink.forgetIfForOneAction(authSession);
        assertEquals(!expected, MailLink.isOf(anna, authSession));
    }

    private static String link(String type) {
        return base64("{\"alg\":\"HS512\"}") + "." + base64("{\"typ\":\"" + type + "\"}") + ".AA";
    }

    private static String base64(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
