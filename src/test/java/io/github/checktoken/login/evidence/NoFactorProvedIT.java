package io.github.checktoken.login.evidence;

import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A user who has proved nothing must not be let in. The tests try all ways through the demo realm's login that need no
 * secret, as each person. No way may end with a code, or at a page that sets up a credential.
 *
 * <p>From each page that looks different from all pages before, every possible step is tried. {@code mvn verify} tries
 * short ways as one person, {@code mvn verify -Dsuite=long} tries long ones as all.
 */
@ExtendWith(KeycloakExtension.class)
class NoFactorProvedIT {

    private static final int LONGEST_WAY = 6;
    private static final int SHORT_WAY = 3;

    private static final Map<String, String> PIN = DemoPerson.UNKNOWN_PIN;
    private static final Map<String, String> KEY = webAuthn("webauthn");
    private static final Map<String, String> PASSKEY = webAuthn("webauthn-passwordless");

    private final Federation federation;
    private final AdminApi admin;

    NoFactorProvedIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void noShortWayIn() {
        assertNoWayIn("camille", SHORT_WAY);
    }

    @Test
    @Tag("long")
    void personWithoutAnyCredential() {
        assertNoWayInAsPersonWith(List.of());
    }

    @Test
    @Tag("long")
    void personWithAPasswordAlone() {
        assertNoWayInAsPersonWith(List.of(DemoPerson.PASSWORD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"camille", "ange", "awa", "lucien", "maxime", "nadia", "hugo", "ines", "paul"})
    @Tag("long")
    void demoPerson(String username) {
        assertNoWayIn(username);
    }

    static Stream<List<Map<String, String>>> credentials() {
        return Stream.of(
                List.of(PIN),
                List.of(KEY),
                List.of(PASSKEY),
                List.of(PIN, KEY),
                List.of(PIN, PASSKEY),
                List.of(DemoPerson.PASSWORD, PIN, KEY, PASSKEY));
    }

    @ParameterizedTest
    @MethodSource("credentials")
    @Tag("long")
    void personWith(List<Map<String, String>> credentials) {
        assertNoWayInAsPersonWith(credentials);
    }

    @Test
    @Tag("long")
    void nobodyAtAll() {
        assertNoWayIn("nobody-of-this-name");
    }

    private void assertNoWayInAsPersonWith(List<Map<String, String>> credentials) {
        try (DemoPerson person = new DemoPerson(admin, credentials, List.of())) {
            assertNoWayIn(person.name());
            assertEquals(0, admin.get(admin.user(person.name()) + "/sessions").size());
        }
    }

    private void assertNoWayIn(String username) {
        assertNoWayIn(username, LONGEST_WAY);
    }

    private void assertNoWayIn(String username, int longestWay) {
        explore(username, longestWay);
        List<String> queries = new ArrayList<>(List.of(
                "&prompt=login",
                "&prompt=create",
                "&max_age=0",
                "&login_hint=" + username,
                "&kc_idp_hint=identity-provider",
                "&kc_action=delete_credential:pin-id"));
        admin.get("/authentication/required-actions")
                .forEach(action ->
                        queries.add("&kc_action=" + action.get("alias").asText()));
        String usernameForm = "choose " + executions("auth-username-form").get(0);
        // With each of these queries, only one long way is tried.
        for (String query : queries) {
            Walk walk = new Walk(username, query);
            walk.take("empty form");
            walk.take("try another way");
            walk.take(usernameForm);
            walk.take("empty form");
            walk.take("resume");
        }
    }

    private void explore(String username, int longestWay) {
        Deque<List<String>> ways = new ArrayDeque<>(List.of(List.of()));
        Set<String> steps = steps();
        Set<String> seen = new HashSet<>();
        while (!ways.isEmpty()) {
            List<String> way = ways.poll();
            Walk walk = new Walk(username, "");
            way.forEach(walk::take);
            if (seen.add(walk.looks()) && way.size() < longestWay) {
                for (String step : steps) {
                    ways.add(Stream.concat(way.stream(), Stream.of(step)).toList());
                }
            }
        }
        assertTrue(seen.size() > 7, () -> "too few pages were seen: " + seen);
    }

    private Set<String> steps() {
        Set<String> steps = new LinkedHashSet<>(List.of(
                "empty form",
                "try another way",
                "resume",
                "restart",
                "back",
                "reset-credentials",
                "registration",
                "first-broker-login",
                "post-broker-login",
                "required-action configure-pin",
                "required-action webauthn-register",
                "provider",
                "new request"));
        executions("").forEach(id -> steps.add("choose " + id));
        return steps;
    }

    /** @param authenticator the authenticator of the executions, or empty for all executions except conditions */
    private List<String> executions(String authenticator) {
        List<String> ids = new ArrayList<>();
        for (JsonNode execution : admin.get("/authentication/flows/federation%20browser/executions")) {
            String provider = execution.path("providerId").asText();
            if (authenticator.isEmpty()
                    ? !provider.isEmpty() && !provider.startsWith("conditional-")
                    : provider.equals(authenticator)) {
                ids.add(execution.get("id").asText());
            }
        }
        return ids;
    }

    /** One browser. If a page has no form, the next step uses the last page that had one, like the Back button. */
    private final class Walk {

        private final Browser browser = new Browser(federation.server());
        private final String username;
        private final String url;
        private final List<String> way = new ArrayList<>();
        private HttpResponse<String> first;
        private HttpResponse<String> form;
        private HttpResponse<String> page;

        Walk(String username, String query) {
            this.username = username;
            this.url = federation.town().request().url() + query;
            way.add(query);
            arriveAt(browser.get(url));
        }

        void take(String step) {
            way.add(step);
            if (form == null) {
                return; // The first page was an error.
            }
            String argument = step.substring(step.indexOf(' ') + 1);
            arriveAt(
                    switch (step.split(" ")[0]) {
                        case "empty" -> browser.submit(form, Map.of("username", username, "password", ""));
                        case "try" -> browser.submit(form, Map.of("tryAnotherWay", "on"));
                        case "choose" -> browser.submit(form, Map.of("authenticationExecution", argument));
                        case "back" -> browser.submit(first, Map.of("username", username, "password", ""));
                        case "resume" -> browser.get(loginAction("authenticate", query -> query));
                        case "required-action" ->
                            browser.get(loginAction("required-action", query -> query + "&execution=" + argument));
                        case "provider" ->
                            HtmlPage.of(first).has("[href*=/broker/identity-provider/login]")
                                    ? browser.chooseProvider(first, "identity-provider", form)
                                    : page;
                        case "new" -> browser.get(url);
                        default -> browser.get(loginAction(step, query -> query));
                    });
        }

        /** @return an address of the same login, without the session code that its forms have */
        private String loginAction(String name, UnaryOperator<String> change) {
            String action = Browser.action(form);
            String query = Pattern.compile("[?&](session_code|execution)=[^&]*")
                    .matcher(action.substring(action.indexOf('?')))
                    .replaceAll("")
                    .replaceFirst("^&", "");
            return federation.url() + "/login-actions/" + name + "?" + change.apply(query);
        }

        private void arriveAt(HttpResponse<String> answer) {
            page = answer;
            String location = answer.headers().firstValue("Location").orElse("");
            assertFalse(
                    location.matches(".*[?&#](code|access_token|id_token)=.*"),
                    () -> username + " was let in by " + way);
            String path = answer.uri().getPath();
            boolean form = HtmlPage.of(answer).has("form");
            assertFalse(
                    path.endsWith("/required-action") && form,
                    () -> username + " can set up a credential by " + way + title());
            if (form && path.startsWith("/realms/" + federation.realm() + "/")) {
                this.form = answer;
                first = first == null ? answer : first;
            }
        }

        /** Two pages for which this is equal lead to the same next pages. */
        String looks() {
            Matcher execution = Pattern.compile("execution=([^&]+)").matcher(form == null ? "" : Browser.action(form));
            return String.join(
                    " ",
                    String.valueOf(page.statusCode()),
                    title(),
                    execution.find() ? execution.group(1) : "",
                    form != null && HtmlPage.of(form).has("#kc-attempted-username") ? "known" : "");
        }

        private String title() {
            return HtmlPage.of(page).text("#kc-page-title");
        }
    }

    private static Map<String, String> webAuthn(String type) {
        return Map.of(
                "type",
                type,
                "userLabel",
                "key",
                "secretData",
                "{}",
                "credentialData",
                "{\"aaguid\":\"00000000-0000-0000-0000-000000000000\",\"credentialId\":\"AAAA\",\"counter\":0,"
                        + "\"credentialPublicKey\":\"AAAA\",\"attestationStatementFormat\":\"none\"}");
    }
}
