package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.guide.LevelsGuideRealm.Asking;
import io.github.checktoken.guide.LevelsGuideRealm.Guest;
import io.github.checktoken.guide.LevelsGuideRealm.Visit;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.checktoken.guide.LevelsGuideRealm.FORGOTTEN;
import static io.github.checktoken.guide.LevelsGuideRealm.KEY_ELSEWHERE;
import static io.github.checktoken.guide.LevelsGuideRealm.PASSWORD_ELSEWHERE;
import static io.github.checktoken.guide.LevelsGuideRealm.PIN;
import static io.github.checktoken.guide.LevelsGuideRealm.assertRefused;
import static io.github.checktoken.guide.LevelsGuideRealm.essential;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.LevelRealm.asksFor;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Adds {@code eidas2} to a realm of {@code docs/own-realm.sh} with {@code docs/levels.sh}, and binds the flows as the page
 * about {@code acr} says. Then people, a service provider and a data provider use the two levels.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
class LevelsGuideIT {

    private static final Path GUIDE = Path.of("docs/acr-and-amr.md");
    private static final Path DATA_PROVIDER_GUIDE = Path.of("docs/data-provider.md");
    private static final Path LEVELS = Path.of("docs/levels.json");
    private static final int MAX_AGE = 10;

    private final KeycloakServer server;
    private final LevelsGuideRealm realm;
    private AdminApi admin;
    private ServiceProvider town;

    LevelsGuideIT(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.realm = new LevelsGuideRealm(server, mailServer);
    }

    @BeforeAll
    void addLevels(@TempDir Path folder) throws IOException, InterruptedException, JOSEException {
        GuideSection guide = GuideSection.of(GUIDE, "Two levels: `eidas1` and `eidas2`");
        List.of(
                        LevelsGuideRealm.BROWSER_FLOW,
                        LevelsGuideRealm.AFTER_PASSWORD,
                        LevelsGuideRealm.AFTER_KEY,
                        "Minimum ACR Value")
                .forEach(guide::assertQuotes);
        realm.make(folder);
        admin = realm.admin();
        town = realm.town();
    }

    @Test
    void loginIsEidas1AndAsksForNoSecondFactor() {
        Visit visit = realm.new Visit();
        realm.assertLevel("eidas1", "pwd", visit.signIn(realm.newPerson(Totp.credential()), visit.open()));
        realm.assertLevel("eidas1", "pwd", visit.redeem(visit.open()));
    }

    @Test
    void loginIsEidas2IfItIsAskedFor() {
        Visit visit = realm.new Visit();
        HttpResponse<String> page =
                visit.enterPassword(realm.newPerson(Totp.credential()), visit.open(Asking.ACR_VALUES::with));
        realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.enterOneTimePassword(page)));
    }

    @ParameterizedTest
    @EnumSource
    void stepUpAsksOnlyForTheSecondFactor(Asking asking) {
        Visit visit = realm.new Visit();
        visit.signIn(realm.newPerson(Totp.credential()), visit.open());

        HttpResponse<String> page = visit.open(asking::with);
        assertFalse(asksFor(page, "password"));
        HttpResponse<String> wrong = visit.browser().submit(page, Map.of("otp", "000000"));
        assertShows("Invalid authenticator code.", wrong);
        realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.enterOneTimePassword(wrong)));
        realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.open()));
        realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.open(asking::with)));
    }

    @Test
    void securityKeyReachesEidas2() {
        assertReachesEidas2("webauthn-register", SignInPage::withSecurityKey);
    }

    @Test
    void passkeyReachesEidas2() {
        assertReachesEidas2("webauthn-register-passwordless", SignInPage::withPasskeys);
    }

    private void assertReachesEidas2(String registration, UnaryOperator<SignInPage> device) {
        String person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of(registration)).name();
        try (ChromeBrowser chrome = ChromeBrowser.start(Locale.ENGLISH)) {
            SignInPage page = device.apply(new SignInPage(chrome));
            CodeVerifier first = new CodeVerifier();
            page.open(realm.request(first)).password(person).register();
            realm.assertLevel("eidas1", "pwd", town.redeem(page.callback(), first));
            CodeVerifier second = new CodeVerifier();
            page.open(Asking.ACR_VALUES.with(realm.request(second))).securityKey();
            realm.assertLevel("eidas2", "pwd pop mfa", town.redeem(page.callback(), second));
        }
    }

    /** Keycloak must not let the person set one up in this login: whoever knows the password could. */
    @ParameterizedTest
    @EnumSource
    void personWithoutASecondFactorIsRefusedAndStaysSignedIn(Asking asking) {
        String person = realm.newPerson();
        long before = deniedLogins();
        Visit visit = realm.new Visit();
        visit.signIn(person, visit.open());
        assertRefused(visit.open(asking::with));
        realm.assertLevel("eidas1", "pwd", visit.redeem(visit.open()));

        Visit another = realm.new Visit();
        assertRefused(another.enterPassword(person, another.open(asking::with)));
        assertEquals(before + 2, deniedLogins());
    }

    /** As the guide warns. From then on, the second factor protects itself. */
    @Test
    void passwordIsEnoughToSetUpTheFirstSecondFactor() {
        UnaryOperator<AuthorizationRequest> setUp = request -> request.with("kc_action", "CONFIGURE_TOTP");
        Visit visit = realm.new Visit();
        HttpResponse<String> page = visit.enterPassword(realm.newPerson(), visit.open(setUp));
        assertShows("Mobile Authenticator Setup", page);

        Visit another = realm.new Visit();
        page = another.enterPassword(realm.newPerson(Totp.credential()), another.open(setUp));
        assertTrue(asksFor(page, "otp"));
        assertShows("Mobile Authenticator Setup", another.enterOneTimePassword(page));
    }

    @Test
    void bruteForceDetectionCountsARefusal() {
        String person = realm.newPerson();
        admin.update("", realm -> realm.put("bruteForceProtected", true));
        try {
            Visit visit = realm.new Visit();
            assertRefused(visit.enterPassword(person, visit.open(Asking.ACR_VALUES::with)));
            // Keycloak counts after it has answered.
            long end = System.nanoTime() + 10_000_000_000L;
            int failures = 0;
            while (failures == 0 && System.nanoTime() < end) {
                failures = admin.get("/attack-detection/brute-force" + admin.user(person))
                        .get("numFailures")
                        .asInt();
            }
            assertEquals(1, failures);
        } finally {
            admin.update("", realm -> realm.put("bruteForceProtected", false));
        }
    }

    @Test
    void codeByEmailIsNotEnough() {
        String person = realm.newPerson();
        admin.post(admin.user(person) + "/role-mappings/realm", List.of(admin.get("/roles/code-by-email")));
        Visit visit = realm.new Visit();
        realm.assertLevel("eidas1", "pwd mail", visit.redeem(visit.enterCode(person, visit.open())));
        assertRefused(visit.open(Asking.ACR_VALUES::with));
        Visit another = realm.new Visit();
        assertRefused(another.enterCode(person, another.open(Asking.ACR_VALUES::with)));
    }

    /** Both are things that the person knows. */
    @Test
    void pinIsNotEnoughAfterAPassword() {
        String person = realm.newPerson(StoredSecret.credential("pin", PIN));
        Visit visit = realm.new Visit();
        HttpResponse<String> page = visit.enterPassword(person, visit.open());
        realm.assertLevel("eidas1", "pwd pin", visit.redeem(visit.enterPin(page)));
        assertRefused(visit.open(Asking.ACR_VALUES::with));
        Visit another = realm.new Visit();
        page = another.enterPassword(person, another.open(Asking.ACR_VALUES::with));
        assertRefused(another.enterPin(page));
    }

    @Test
    void pinReachesEidas2AfterAKeyElsewhere() {
        Guest guest = realm.new Guest(KEY_ELSEWHERE, StoredSecret.credential("pin", PIN));
        Visit visit = realm.new Visit();
        HttpResponse<String> page = guest.signInElsewhere(visit, visit.open(Asking.ACR_VALUES::with));
        HttpResponse<String> wrong = visit.browser().submit(page, Map.of("pin", "508263"));
        assertShows("Enter your PIN", wrong);
        realm.assertLevel("eidas2", "pop pin mfa", visit.redeem(visit.enterPin(wrong)));
        realm.assertLevel("eidas2", "pop pin mfa", visit.redeem(visit.open()));
    }

    /** The flow of the realm cannot know where the person has signed in, so it does not take the PIN. */
    @Test
    void pinCountsOnlyInTheLoginElsewhere() {
        Guest guest = realm.new Guest(KEY_ELSEWHERE, StoredSecret.credential("pin", PIN));
        Visit visit = realm.new Visit();
        realm.assertLevel("eidas1", "pop", visit.redeem(guest.signInElsewhere(visit, visit.open())));
        assertRefused(visit.open(Asking.ACR_VALUES::with));
        HttpResponse<String> page = guest.signInElsewhere(
                visit, visit.open(request -> Asking.ACR_VALUES.with(request).with("prompt", "login")));
        realm.assertLevel("eidas2", "pop pin mfa", visit.redeem(visit.enterPin(page)));
    }

    @Test
    void personWithoutAPinIsRefusedAfterAKeyElsewhere() {
        Guest guest = realm.new Guest(KEY_ELSEWHERE, Totp.credential());
        Visit visit = realm.new Visit();
        HttpResponse<String> page = guest.signInElsewhere(visit, visit.open(Asking.ACR_VALUES::with));
        assertEquals(401, page.statusCode());
        assertShows("This service also asks for your PIN, and you have not chosen one yet.", page);
    }

    @Test
    void oneTimePasswordReachesEidas2AfterAPasswordElsewhere() {
        Guest guest = realm.new Guest(PASSWORD_ELSEWHERE, Totp.credential());
        Visit visit = realm.new Visit();
        HttpResponse<String> page = guest.signInElsewhere(visit, visit.open(Asking.ACR_VALUES::with));
        realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.enterOneTimePassword(page)));
    }

    @Test
    void stepUpAfterAPasswordElsewhereAsksOnlyForTheSecondFactor() {
        Guest guest = realm.new Guest(PASSWORD_ELSEWHERE, Totp.credential());
        Visit visit = realm.new Visit();
        realm.assertLevel("eidas1", "pwd", visit.redeem(guest.signInElsewhere(visit, visit.open())));
        HttpResponse<String> page = visit.open(Asking.ACR_VALUES::with);
        realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.enterOneTimePassword(page)));
    }

    @Test
    void pinIsNotEnoughAfterAPasswordElsewhere() {
        Guest guest = realm.new Guest(PASSWORD_ELSEWHERE, StoredSecret.credential("pin", PIN));
        Visit visit = realm.new Visit();
        assertRefused(guest.signInElsewhere(visit, visit.open(Asking.ACR_VALUES::with)));
    }

    /** So the guide says that each identity provider needs one of the flows, and that acr has to be checked. */
    @ParameterizedTest
    @EnumSource
    void identityProviderWithoutAFlowGivesEidas1Alone(Asking asking) {
        Guest guest = realm.new Guest(FORGOTTEN, Totp.credential());
        Visit visit = realm.new Visit();
        realm.assertLevel("eidas1", "pwd", visit.redeem(guest.signInElsewhere(visit, visit.open(asking::with))));
    }

    @Test
    void levelWithoutANameIsIgnored() {
        Visit visit = realm.new Visit();
        HttpResponse<String> form = visit.open(request -> request.with("acr_values", "eidas3"));
        realm.assertLevel("eidas1", "pwd", visit.signIn(realm.newPerson(), form));
    }

    @Test
    void levelWithoutANameIsRefusedIfItIsEssential() {
        HttpResponse<String> page = realm.new Visit().open(request -> essential(request, "eidas3"));
        assertEquals(400, page.statusCode());
        assertShows("Invalid parameter: claims", page);
    }

    @Test
    void minimumOfAServiceProviderIsAskedForWithoutARequest() throws IOException {
        String client = admin.client("sp-town");
        admin.update(client, json -> json.withObject("/attributes").put("minimum.acr.value", "eidas2"));
        try {
            for (String requested : List.of("", "eidas1")) {
                Visit visit = realm.new Visit();
                HttpResponse<String> form =
                        visit.open(request -> requested.isEmpty() ? request : request.with("acr_values", requested));
                HttpResponse<String> page = visit.enterPassword(realm.newPerson(Totp.credential()), form);
                realm.assertLevel("eidas2", "pwd mfa", visit.redeem(visit.enterOneTimePassword(page)));
            }
        } finally {
            admin.update(client, json -> json.withObject("/attributes").put("minimum.acr.value", ""));
        }
    }

    @Test
    void dataProviderThatWantsAHigherLevelGetsItAfterAStepUp() throws IOException {
        Api api = new Api(realm.water(), "eidas2", null);
        Visit visit = realm.new Visit();
        Tokens first = visit.signIn(realm.newPerson(Totp.credential()), visit.open());
        String challenge = api.challenge(first);
        assertNotNull(challenge);
        assertNotNull(api.challenge(town.refresh(first)), "a refresh is no step-up");

        HttpResponse<String> page = visit.open(request -> answering(challenge, request));
        assertFalse(asksFor(page, "password"));
        Tokens second = visit.redeem(visit.enterOneTimePassword(page));
        assertNull(api.challenge(second));
        assertNotNull(api.challenge(town.refresh(first)), "the earlier login keeps its level");
    }

    @Test
    void dataProviderThatWantsARecentLoginGetsItAfterANewOne() throws IOException {
        DataProviderClient told = new NewDataProvider(
                        admin,
                        server.realmUrl(LevelsGuideRealm.NAME).toString(),
                        realm.water().privateKey())
                .setting("auth.time.disclosed", "true")
                .telling("auth_time")
                .create();
        Api api = new Api(told, "eidas1", MAX_AGE);
        Visit visit = realm.new Visit();
        Tokens first = visit.signIn(realm.newPerson(), visit.open());
        assertNull(api.challenge(first));
        Waiting.untilAllIsOlderThan(MAX_AGE);
        String challenge = api.challenge(first);
        assertNotNull(challenge);
        assertNotNull(api.challenge(town.refresh(first)), "a refresh is no login");

        HttpResponse<String> page = visit.open(request -> answering(challenge, request));
        assertTrue(asksFor(page, "password"));
        Tokens second = visit.redeem(visit.browser().submit(page, Map.of("password", "demo-password")));
        assertNull(api.challenge(second));
        assertNotNull(api.challenge(first));
    }

    @Test
    void scriptAddsTheFlowsThatAnImportOfTheFileMakes() throws IOException {
        ObjectNode file = (ObjectNode) Http.json(Files.readString(LEVELS));
        String imported = file.get("realm").asText() + "-imported";
        new AdminApi(server, "").create("", GivenKey.REALM.addTo(file.put("realm", imported)));
        AdminApi other = new AdminApi(server, imported);
        for (JsonNode flow : file.get("authenticationFlows")) {
            if (flow.get("topLevel").asBoolean()) {
                String alias = flow.get("alias").asText();
                assertEquals(steps(other, alias), steps(admin, alias));
            }
        }
        assertEquals(other.get("").at("/attributes/acr.loa.map"), admin.get("").at("/attributes/acr.loa.map"));
    }

    @Test
    void secondRunChangesNothing() throws IOException, InterruptedException {
        List<String> before = steps(admin, "browser eidas2");
        Result second = realm.run("levels.sh", LevelsGuideRealm.NAME);
        assertEquals(1, second.status(), second.output());
        assertTrue(second.output().contains("Nothing was changed."), second.output());
        assertEquals(before, steps(admin, "browser eidas2"));
    }

    @Test
    void runThatFailsRemovesWhatItHasMade() throws IOException, InterruptedException {
        FreshRealm other = new FreshRealm(server);
        String taken = "level eidas2 refusal";
        other.admin()
                .create("/authentication/flows", Map.of("alias", taken, "providerId", "basic-flow", "topLevel", true));
        Set<String> before = flows(other.admin());
        Result failed = realm.run("levels.sh", other.name());
        assertEquals(1, failed.status(), failed.output());
        assertTrue(failed.output().contains("Flow " + taken + " already exists"), failed.output());
        assertEquals(before, flows(other.admin()));
    }

    /** What an API with a rule of its own answers to a token (RFC 9470), in the words of the guide. */
    private record Api(DataProviderClient dataProvider, String acr, Integer maxAge) {

        /** @return the value of {@code WWW-Authenticate}, or null if the token is good enough */
        String challenge(Tokens tokens) throws IOException {
            Map<String, Object> answer =
                    dataProvider.check(tokens.accessToken()).introspection();
            assertEquals(true, answer.get("active"));
            boolean old = maxAge != null
                    && (!(answer.get("auth_time") instanceof Number time)
                            || time.longValue() + maxAge < Instant.now().getEpochSecond());
            if (acr.equals(answer.get("acr")) && !old) {
                return null;
            }
            Matcher example = Pattern.compile(
                            "`WWW-Authenticate: (Bearer error=\"insufficient_user_authentication\"[^`]*)`")
                    .matcher(Files.readString(DATA_PROVIDER_GUIDE).replaceAll("\\s+", " "));
            assertTrue(example.find());
            String challenge = example.group(1).replace("acr_values=\"eidas2\"", "acr_values=\"" + acr + "\"");
            return maxAge == null
                    ? challenge.replace(", max_age=\"300\"", "")
                    : challenge.replace("max_age=\"300\"", "max_age=\"" + maxAge + "\"");
        }
    }

    /** @return the request with what the challenge asks for, as the service provider's guide says */
    private static AuthorizationRequest answering(String challenge, AuthorizationRequest request) {
        Map<String, String> parameters = new HashMap<>();
        Matcher parameter = Pattern.compile("(\\w+)=\"([^\"]*)\"").matcher(challenge);
        while (parameter.find()) {
            parameters.put(parameter.group(1), parameter.group(2));
        }
        assertEquals("insufficient_user_authentication", parameters.get("error"));
        for (String name : List.of("acr_values", "max_age")) {
            if (parameters.containsKey(name)) {
                request.with(name, parameters.get(name));
            }
        }
        return request;
    }

    private static Set<String> flows(AdminApi realm) {
        return realm.get("/authentication/flows")
                .valueStream()
                .map(flow -> flow.get("alias").asText())
                .collect(Collectors.toSet());
    }

    private long deniedLogins() {
        return admin.get("/events?type=LOGIN_ERROR&max=1000")
                .valueStream()
                .filter(event -> event.path("error").asText().equals("access_denied"))
                .count();
    }

    /** @return the steps of a flow and its sub-flows, with their settings */
    private static List<String> steps(AdminApi realm, String flow) {
        List<String> steps = new ArrayList<>();
        String path = "/authentication/flows/" + Http.encode(flow).replace("+", "%20") + "/executions";
        for (JsonNode step : realm.get(path)) {
            String settings = step.path("authenticationConfig").asText();
            JsonNode config = settings.isEmpty() ? null : realm.get("/authentication/config/" + settings);
            steps.add(String.join(
                    " | ",
                    step.get("level").asText(),
                    step.get("displayName").asText(),
                    step.get("requirement").asText(),
                    config == null ? "" : config.get("alias") + " " + config.get("config")));
        }
        assertFalse(steps.isEmpty());
        return steps;
    }
}
