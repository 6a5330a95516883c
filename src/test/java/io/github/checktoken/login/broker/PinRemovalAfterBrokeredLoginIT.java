package io.github.checktoken.login.broker;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewIdentityProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The methods that a provider reports are not enough to remove a PIN, because somebody who knows only the password may
 * have linked an identity of their own.
 */
@ExtendWith(KeycloakExtension.class)
class PinRemovalAfterBrokeredLoginIT {

    private static final String UPSTREAM_PERSON = "jeanne";

    private final Federation federation;
    private final AdminApi admin;

    PinRemovalAfterBrokeredLoginIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void pinAndTwoFactorsOfAProviderDoNotCount() {
        NewIdentityProvider provider = federation
                .newIdentityProvider()
                .sendingAmr("[\"pwd\",\"pin\",\"otp\"]")
                .create();
        try (DemoPerson person =
                new DemoPerson(admin, List.of(DemoPerson.PASSWORD, DemoPerson.UNKNOWN_PIN), List.of())) {
            String path = admin.user(person.name());
            admin.post(
                    path + "/federated-identity/" + provider.alias(),
                    Map.of("userId", upstreamId(), "userName", UPSTREAM_PERSON));
            String pin = pinOf(path);

            Browser browser = new Browser(federation.server());
            HttpResponse<String> page = browser.chooseProvider(
                    browser.get(federation.town().request().url()), provider.alias());
            HttpResponse<String> signedIn = browser.givePassword(page, UPSTREAM_PERSON);
            assertEquals(302, signedIn.statusCode(), signedIn::body);
            HttpResponse<String> removal = browser.get(federation
                    .town()
                    .request()
                    .with("kc_action", "delete_credential:" + pin)
                    .url());
            assertShows("Do you want to delete", removal);

            assertEquals(400, browser.submit(removal, Map.of("accept", "Yes")).statusCode());
            assertEquals(pin, pinOf(path));
        } finally {
            provider.delete();
        }
    }

    private String pinOf(String user) {
        for (JsonNode credential : admin.get(user + "/credentials")) {
            if (credential.get("type").asText().equals("pin")) {
                return credential.get("id").asText();
            }
        }
        return null;
    }

    private String upstreamId() {
        AdminApi upstream = new AdminApi(federation.server(), federation.upstream());
        return upstream.user(UPSTREAM_PERSON).substring("/users/".length());
    }
}
