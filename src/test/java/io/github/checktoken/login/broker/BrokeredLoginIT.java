package io.github.checktoken.login.broker;

import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the two demo realms together: a person of one realm signs in at a service provider of the other. */
@ExtendWith(KeycloakExtension.class)
class BrokeredLoginIT {

    private static final String WITHOUT_ACR_VALUES = "";
    private static final String WITH_ACR_VALUES = "acr_values=eidas1&";

    private final Federation federation;
    private final AdminApi admin;
    private final Browser browser;

    BrokeredLoginIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.browser = new Browser(federation.server());
    }

    /** Deletes the persons, so that the next test begins with a first login again. */
    @AfterEach
    void forgetThePersons() {
        for (String username : List.of("jeanne", "samir")) {
            for (JsonNode user : admin.get("/users?exact=true&username=" + username)) {
                admin.delete("/users/" + user.get("id").asText());
            }
        }
    }

    @Test
    void firstLoginAsksForNothingButThePasswordThere() {
        HttpResponse<String> redirect = signIn(federation.town(), "jeanne", WITH_ACR_VALUES);
        assertEquals(302, redirect.statusCode(), redirect::body);
        assertTrue(redirect.headers().firstValue("Location").orElseThrow().startsWith("http://localhost:8999/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_ACR_VALUES, WITHOUT_ACR_VALUES})
    void firstLoginAndSingleSignOnAreEidas1(String acrValues) {
        assertEidas1(federation.town().redeem(signIn(federation.town(), "jeanne", acrValues)));

        for (String later : List.of(WITH_ACR_VALUES, WITHOUT_ACR_VALUES)) {
            HttpResponse<String> redirect = browser.get(url(federation.bank(), later));
            assertEquals(302, redirect.statusCode(), "the person must not be asked to sign in again");
            assertEidas1(federation.bank().redeem(redirect));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_ACR_VALUES, WITHOUT_ACR_VALUES})
    void laterLoginIsEidas1AndNeedsNoPasswordWhileTheProviderKnowsThePerson(String acrValues) {
        Tokens first = federation.town().redeem(signIn(federation.town(), "jeanne", acrValues));
        federation.town().logOut(first);

        HttpResponse<String> page = browser.get(url(federation.bank(), acrValues));
        HttpResponse<String> redirect = browser.chooseProvider(page, "identity-provider");
        assertEquals(302, redirect.statusCode(), "the person must not be asked for the password");
        assertEidas1(federation.bank().redeem(redirect));
    }

    @Test
    void dataProviderReadsWhoThePersonIs() {
        Map<String, Object> introspection = introspection("jeanne");
        assertEquals("Jeanne Odette", introspection.get("given_name"));
        assertEquals(List.of("Jeanne", "Odette"), introspection.get("given_name_array"));
        assertEquals("Robert", introspection.get("family_name"));
        assertEquals("female", introspection.get("gender"));
        assertEquals("1967-06-08", introspection.get("birthdate"));
        assertEquals("33063", introspection.get("birthplace"));
        assertEquals("99100", introspection.get("birthcountry"));
    }

    @Test
    void bornAbroadHasNoBirthplace() {
        Map<String, Object> introspection = introspection("samir");
        assertFalse(introspection.containsKey("birthplace"));
        assertEquals("99352", introspection.get("birthcountry"));
    }

    @Test
    void personWhoStaysWithTheProviderKeepsTheSubject() {
        Object first = introspection("jeanne").get("sub");
        assertEquals(
                first, new BrokeredLoginIT(federation).introspection("jeanne").get("sub"));
    }

    @Test
    void hintLeadsStraightToTheProvider() {
        HttpResponse<String> page =
                browser.get(url(federation.town(), WITH_ACR_VALUES) + "&kc_idp_hint=identity-provider");
        assertTrue(
                page.uri().getPath().startsWith("/realms/" + federation.upstream() + "/"),
                () -> page.uri().toString());
        assertEidas1(federation.town().redeem(enterPassword(page, "jeanne")));
    }

    /** The page of the review names no reason, because people cannot edit this value. */
    @Test
    void personWithAnUnknownValueSignsInWithoutTheReview() {
        AdminApi upstream = new AdminApi(federation.server(), federation.upstream());
        String username = "unspecified";
        String person = upstream.create("/users", withGender(username, "unspecified"));
        try {
            assertShows("Update Account Information", signIn(federation.town(), username, WITH_ACR_VALUES));
            review("DISABLED");
            BrokeredLoginIT again = new BrokeredLoginIT(federation);
            assertEidas1(federation.town().redeem(again.signIn(federation.town(), username, WITH_ACR_VALUES)));
            admin.delete(admin.user(username));
        } finally {
            review("REQUIRED");
            upstream.delete("/users/" + person);
        }
    }

    private void review(String requirement) {
        ObjectNode step = (ObjectNode) admin.execution("federation first login", "idp-review-profile");
        admin.put("/authentication/flows/federation%20first%20login/executions", step.put("requirement", requirement));
    }

    private static Map<String, Object> withGender(String username, String gender) {
        return Map.of(
                "username",
                username,
                "enabled",
                true,
                "firstName",
                "Samir",
                "lastName",
                "Benali",
                "email",
                username + "@example.org",
                "attributes",
                Map.of("gender", List.of(gender)),
                "credentials",
                List.of(DemoPerson.PASSWORD));
    }

    /**
     * The provider does not get the hint and the language of the request. But {@code state}, which Keycloak makes, names
     * the service provider in a form that anybody can read.
     */
    @Test
    void providerLearnsTheServiceProvider() {
        HttpResponse<String> page = browser.chooseProvider(
                browser.get(url(federation.town(), WITH_ACR_VALUES) + "&login_hint=jeanne&ui_locales=fr"),
                "identity-provider");
        Map<String, String> sent = parameters(page);

        assertEquals(
                Set.of(
                        "acr_values",
                        "claims",
                        "client_id",
                        "code_challenge",
                        "code_challenge_method",
                        "nonce",
                        "redirect_uri",
                        "response_type",
                        "scope",
                        "state"),
                sent.keySet());
        String clientData =
                new String(Base64.getUrlDecoder().decode(sent.get("state").split("[.]", 4)[3]), UTF_8);
        assertTrue(clientData.contains("http://localhost:8999/sp-town/callback"), clientData);
    }

    /** The privacy guide recommends the switch. */
    @Test
    void shortStateDoesNotNameTheServiceProviderAndTheLoginIsTheSame() {
        requireShortState(true);
        try {
            HttpResponse<String> form =
                    browser.get(federation.town().request().askingForAmr().url());
            HttpResponse<String> page = browser.chooseProvider(form, "identity-provider");
            assertEquals(3, parameters(page).get("state").split("[.]").length);

            Tokens tokens = federation.town().redeem(enterPassword(page, "jeanne"));

            assertEidas1(tokens);
            assertEquals("fc pwd", tokens.amr());
        } finally {
            requireShortState(false);
        }
    }

    private void requireShortState(boolean required) {
        admin.update(
                "/identity-provider/instances/identity-provider",
                provider ->
                        provider.withObject("/config").put("requiresShortStateParameter", String.valueOf(required)));
    }

    private static Map<String, String> parameters(HttpResponse<String> page) {
        return Stream.of(page.uri().getQuery().split("&"))
                .map(parameter -> parameter.split("=", 2))
                .collect(Collectors.toMap(parameter -> parameter[0], parameter -> parameter[1]));
    }

    private void assertEidas1(Tokens tokens) {
        assertEquals("eidas1", Tokens.claims(tokens.idToken()).get("acr").asText());
        assertEquals(
                "eidas1",
                federation.tax().check(tokens.accessToken()).introspection().get("acr"));
    }

    private Map<String, Object> introspection(String username) {
        Tokens tokens = federation.town().redeem(signIn(federation.town(), username, WITH_ACR_VALUES));
        return federation.tax().check(tokens.accessToken()).introspection();
    }

    private HttpResponse<String> signIn(ServiceProvider serviceProvider, String username, String acrValues) {
        HttpResponse<String> page = browser.get(url(serviceProvider, acrValues));
        return enterPassword(browser.chooseProvider(page, "identity-provider"), username);
    }

    private HttpResponse<String> enterPassword(HttpResponse<String> page, String username) {
        return browser.givePassword(page, username);
    }

    private static String url(ServiceProvider serviceProvider, String acrValues) {
        return serviceProvider
                .authorizationUrl("/protocol/openid-connect/auth", "openid")
                .replace(WITH_ACR_VALUES, acrValues);
    }
}
