package io.github.checktoken.it;

import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.it.page.SignInPage;
import io.github.checktoken.support.AdminApi;
import io.github.checktoken.support.AuthorizationRequest;
import io.github.checktoken.support.ChromeBrowser;
import io.github.checktoken.support.Federation;
import io.github.checktoken.support.KeycloakExtension;
import io.github.checktoken.support.ServiceProvider;
import io.github.checktoken.support.Tokens;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A person of the identity provider who has a passkey in the demo realm: it is asked for after the provider. */
@ExtendWith(KeycloakExtension.class)
class BrokeredPasskeyIT {

    private static final String PERSON = "chloe";

    private final AdminApi admin;
    private final ServiceProvider town;

    BrokeredPasskeyIT(Federation federation) {
        this.admin = federation.admin();
        this.town = federation.town();
    }

    @AfterEach
    void forgetThePerson() {
        for (JsonNode user : admin.get("/users?exact=true&username=" + PERSON)) {
            admin.delete("/users/" + user.get("id").asText());
        }
    }

    @Test
    void passkeyAfterTheProviderIsASecondFactor() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            SignInPage page = new SignInPage(browser).withPasskeys();
            assertEquals(
                    "fc pwd",
                    redeem(page.open(throughTheProvider()).password(PERSON)).amr());

            page.open(town.request().with("kc_action", "webauthn-register-passwordless"))
                    .register()
                    .callback();
            admin.post(admin.user(PERSON) + "/logout", Map.of());

            // The provider still knows the person.
            Tokens tokens = redeem(page.open(throughTheProvider()).securityKey());
            assertEquals("fc pwd pop mfa", tokens.amr());
            assertEquals("eidas1", tokens.acr());
        }
    }

    /** Not by the link on the login page: the virtual passkey would sign in there by itself. */
    private AuthorizationRequest throughTheProvider() {
        return town.request().askingForAmr().with("kc_idp_hint", "identity-provider");
    }

    private Tokens redeem(SignInPage page) {
        return town.redeem(page.callback());
    }
}
