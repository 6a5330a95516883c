package io.github.checktoken.login.broker;

import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** If a person has a passkey in the demo realm, the login asks for it after the login at the identity provider. */
@ExtendWith(KeycloakExtension.class)
class BrokeredPasskeyIT {

    private static final String FLOWS = "/authentication/flows";
    private static final String AFTERWARDS = "password-after-provider";
    private static final String PROVIDER = "/identity-provider/instances/identity-provider";
    private static final String PERSON = "chloe";

    private final AdminApi admin;
    private final ServiceProvider town;
    private final KeycloakServer server;

    BrokeredPasskeyIT(Federation federation) {
        this.admin = federation.admin();
        this.town = federation.town();
        this.server = federation.server();
    }

    @AfterEach
    void forgetThePerson() {
        for (JsonNode user : admin.get("/users?exact=true&username=" + PERSON)) {
            admin.delete("/users/" + user.get("id").asText());
        }
    }

    @Test
    void passkeyAfterTheProviderIsASecondFactorUnlessTheProviderHadOne() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            SignInPage page = new SignInPage(browser).withPasskeys();
            assertEquals(
                    "fc pwd",
                    redeem(page.open(throughTheProvider()).password(PERSON)).amr());

            page.open(town.request().with("kc_action", "webauthn-register-passwordless"))
                    .register()
                    .callback();
            admin.post(admin.user(PERSON) + "/logout", Map.of());

            // The person is still signed in at the provider.
            Tokens tokens = redeem(page.open(throughTheProvider()).securityKey());
            assertEquals("fc pwd pop mfa", tokens.amr());
            assertEquals("eidas1", tokens.acr());

            setMethodsWithoutAPasskey("pwd");
            Browser other = new Browser(server);
            HttpResponse<String> redirect =
                    other.givePassword(other.get(throughTheProvider().url()), PERSON);
            assertEquals("fc pwd", town.redeem(redirect).amr());
        } finally {
            setMethodsWithoutAPasskey("pop##mfa");
        }
    }

    /** Changes the condition of the demo realm's step for people who have a passkey. */
    private void setMethodsWithoutAPasskey(String methods) {
        String config = admin.execution("federation after an identity provider", "conditional-authentication-method")
                .get("authenticationConfig")
                .asText();
        admin.update(
                "/authentication/config/" + config,
                json -> json.withObject("/config").put("methods", methods));
    }

    /** Keycloak's password form also accepts a passkey, even in a flow after the provider. */
    @Test
    void passkeyOnAPasswordFormAfterTheProviderCounts() {
        String flow = admin.create(
                FLOWS, Map.of("alias", AFTERWARDS, "providerId", "basic-flow", "topLevel", true, "builtIn", false));
        String executions = FLOWS + "/" + AFTERWARDS + "/executions";
        admin.post(executions + "/execution", Map.of("provider", "auth-username-password-form"));
        ObjectNode form = (ObjectNode) admin.get(executions).get(0);
        admin.put(executions, form.put("requirement", "REQUIRED"));
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            SignInPage page = new SignInPage(browser).withPasskeys();
            redeem(page.open(throughTheProvider()).password(PERSON));
            page.open(town.request().with("kc_action", "webauthn-register-passwordless"))
                    .register()
                    .callback();
            admin.post(admin.user(PERSON) + "/logout", Map.of());
            admin.update(PROVIDER, provider -> provider.put("postBrokerLoginFlowAlias", AFTERWARDS));

            assertEquals(
                    "fc pwd pop mfa",
                    redeem(page.open(throughTheProvider()).securityKey()).amr());
        } finally {
            admin.update(
                    PROVIDER,
                    provider -> provider.put("postBrokerLoginFlowAlias", "federation after an identity provider"));
            admin.delete(FLOWS + "/" + flow);
        }
    }

    /** Does not use the link on the login page, because the virtual passkey would sign in on that page by itself. */
    private AuthorizationRequest throughTheProvider() {
        return town.request().askingForAmr().with("kc_idp_hint", "identity-provider");
    }

    private Tokens redeem(SignInPage page) {
        return town.redeem(page.callback());
    }
}
