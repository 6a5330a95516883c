package io.github.checktoken.login.broker;

import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.page.AdminConsolePage;
import io.github.checktoken.support.page.IdentityProviderMapperPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewIdentityProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** An administrator sets up the amr mapper of an identity provider in the Admin Console, in a real browser. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
class AdminConsoleIdentityProviderIT {

    private final Federation federation;
    private final AdminApi admin;
    private NewIdentityProvider provider;

    AdminConsoleIdentityProviderIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeEach
    void create() {
        provider = federation.newIdentityProvider().create();
    }

    @AfterEach
    void delete() {
        provider.delete();
    }

    @Test
    void mapperIsSavedAsItWasFilledIn() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            AdminConsolePage console = AdminConsolePage.signIn(
                    browser, federation.server(), "master", KeycloakServer.ADMIN, KeycloakServer.ADMIN_PASSWORD);
            IdentityProviderMapperPage page = console.newIdentityProviderMapper(federation.realm(), provider.alias());
            page.choose("From the console", "Authentication methods (amr)");
            // The map is filled in first, because Keycloak 26.5 shows no label for an empty map.
            page.fillRow("amr.mapping", "password", "pwd");
            assertEquals(
                    List.of(
                            "Name",
                            "Sync mode override",
                            "Mapper type",
                            "Ask the provider for amr",
                            "Methods when none are sent",
                            "Accepted values",
                            "Value mapping",
                            "Trust mfa",
                            "Levels of its acr"),
                    page.labels());
            page.fill("amr.default", "pwd geo");
            page.fill("amr.accepted.values", "pwd otp");
            browser.screenshot("identity-provider-mapper");
            page.save();
        }
        JsonNode config = saved("From the console").get("config");
        assertEquals("pwd geo", config.get("amr.default").asText());
        assertEquals("pwd otp", config.get("amr.accepted.values").asText());
        assertEquals(
                "[{\"key\":\"password\",\"value\":\"pwd\"}]",
                config.get("amr.mapping").asText());
        assertEquals("false", config.get("amr.trust.mfa").asText());
    }

    /**
     * For a multivalued property the console would send an array, which Keycloak rejects. That is why the lists here
     * are text fields.
     */
    @Test
    void keycloakRefusesAnArray() {
        String mapper =
                "{\"name\":\"array\",\"identityProviderAlias\":\"%s\",\"identityProviderMapper\":\"oidc-amr-idp-mapper\","
                                .formatted(provider.alias())
                        + "\"config\":{\"amr.default\":[\"pwd\",\"geo\"]}}";
        assertEquals(
                400,
                admin.send("POST", "/identity-provider/instances/" + provider.alias() + "/mappers", mapper)
                        .statusCode());
    }

    private JsonNode saved(String name) {
        for (JsonNode mapper : admin.get("/identity-provider/instances/" + provider.alias() + "/mappers")) {
            if (mapper.get("name").asText().equals(name)) {
                return mapper;
            }
        }
        throw new AssertionError("no mapper " + name);
    }
}
