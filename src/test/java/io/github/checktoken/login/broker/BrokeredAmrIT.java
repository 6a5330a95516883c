package io.github.checktoken.login.broker;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.login.amr.DemoAmrMapper;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewIdentityProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests what amr reports for a login at an identity provider. {@code acr} must always be {@code eidas1}. */
@ExtendWith(KeycloakExtension.class)
class BrokeredAmrIT {

    private static final String PERSON = "jeanne";

    private final Federation federation;
    private final AdminApi admin;
    private final ServiceProvider town;
    private final DemoAmrMapper released;
    private final List<NewIdentityProvider> providers = new ArrayList<>();
    private Browser browser;

    BrokeredAmrIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.town = federation.town();
        this.released = new DemoAmrMapper(admin);
        this.browser = new Browser(federation.server());
    }

    @BeforeEach
    void releaseMore() {
        released.with("amr.released.values", "pwd##pop##pin##mail##otp##geo##mfa");
    }

    @AfterEach
    void cleanUp() {
        released.restore();
        admin.delete(linkingScope());
        providers.forEach(NewIdentityProvider::delete);
        for (JsonNode user : admin.get("/users?exact=true&username=" + PERSON)) {
            admin.delete("/users/" + user.get("id").asText());
        }
    }

    @Test
    void demoProviderSignsInWithAPassword() {
        assertEquals("fc pwd", signIn("identity-provider"));
    }

    @ParameterizedTest
    @CsvSource({"false, fc", "true, fc pwd"})
    void providerThatTellsAmrOnlyOnRequestIsAskedIfTheMapperSaysSo(String asked, String amr) {
        assertEquals(
                amr,
                signIn(create(
                        federation.newIdentityProvider().tellingAmrIfAsked().setting("amr.ask.provider", asked))));
    }

    @Test
    void whatTheAddressOfTheProviderAsksForStaysAsked() {
        String alias = create(federation
                .newIdentityProvider()
                .tellingAmrIfAsked()
                .authorizationQuery("?claims=%7B%22id_token%22%3A%7B%22acr%22%3Anull%7D%7D&extra=a%26b")
                .setting("amr.ask.provider", "true"));
        HttpResponse<String> there =
                browser.chooseProvider(browser.get(town.request().askingForAmr().url()), alias);
        String query = there.uri().getRawQuery();
        assertTrue(query.contains("extra=a%26b&"), query);
        assertTrue(
                query.contains(
                        "claims=%7B%22id_token%22%3A%7B%22acr%22%3Anull%2C%22amr%22%3A%7B%22essential%22%3Atrue"),
                query);
        assertEquals("fc pwd", town.redeem(enterPassword(there)).amr());
    }

    /** The provider is asked at every login, because a later service may want to know. */
    @Test
    void secondServiceThatAsksAtSingleSignOnGetsIt() {
        String alias =
                create(federation.newIdentityProvider().tellingAmrIfAsked().setting("amr.ask.provider", "true"));
        assertNull(signIn(alias, town.request()));
        ServiceProvider second = federation.bank();
        assertEquals(
                "fc pwd",
                second.redeem(browser.get(second.request().askingForAmr().url()))
                        .amr());
    }

    @ParameterizedTest
    @CsvSource({
        "'[\"pwd\"]', fc pwd",
        "'[\"pwd\",\"otp\"]', fc pwd otp mfa",
        "'[\"pwd\",\"mfa\"]', fc pwd",
        "'[\"mfa\"]', fc",
        "'\"pwd\"', fc pwd",
        "'[\"nobody\",\"knows\"]', fc",
        "'{\"pwd\":true}', fc",
        "'[]', fc"
    })
    void methodsOfTheProviderAreTakenOver(String sent, String amr) {
        assertEquals(amr, signIn(create(federation.newIdentityProvider().sendingAmr(sent))));
    }

    @Test
    void mfaOfTheProviderCountsWhereItIsTrusted() {
        assertEquals(
                "fc pwd mfa",
                signIn(create(federation
                        .newIdentityProvider()
                        .sendingAmr("[\"pwd\",\"mfa\"]")
                        .setting("amr.trust.mfa", "true"))));
    }

    @Test
    void providerWithoutAmrHasItsDefault() {
        assertEquals("fc pwd", signIn(create(federation.newIdentityProvider().setting("amr.default", "pwd"))));
    }

    @Test
    void providerWithoutAmrAndWithoutDefaultHasNone() {
        assertEquals("fc", signIn(create(federation.newIdentityProvider())));
    }

    @Test
    void samlProviderHasItsDefault() {
        NewIdentityProvider saml = federation
                .newIdentityProvider()
                .setting("amr.default", "pwd##otp")
                .createSaml();
        providers.add(saml);
        String user = createPerson();
        admin.post(
                "/users/" + user + "/federated-identity/" + saml.alias(), Map.of("userId", PERSON, "userName", PERSON));

        assertEquals("fc pwd otp mfa", signIn(saml.alias()));
    }

    @Test
    void onlyAcceptedValuesAreTakenOver() {
        assertEquals(
                "fc pwd geo",
                signIn(create(federation
                        .newIdentityProvider()
                        .sendingAmr("[\"pwd\",\"otp\",\"geo\"]")
                        .setting("amr.accepted.values", "pwd##geo"))));
    }

    @Test
    void valuesOfTheProviderAreMapped() {
        assertEquals(
                "fc pwd otp mfa",
                signIn(create(federation
                        .newIdentityProvider()
                        .sendingAmr("[\"urn:example:password\",\"app\"]")
                        .setting(
                                "amr.mapping",
                                "[{\"key\":\"urn:example:password\",\"value\":\"pwd\"},"
                                        + "{\"key\":\"app\",\"value\":\"otp\"}]"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"numbers", "tooMany", "tooLong"})
    void junkIsCutOffAndTheLogTellsOfWhichProvider(String kind) throws IOException {
        String secret = "junk-" + UUID.randomUUID();
        String sent = switch (kind) {
            case "numbers" -> "[1,2.5,true,null,{\"a\":\"%s\"},[\"%s\"],\"pwd\"]".formatted(secret, secret);
            case "tooMany" ->
                IntStream.range(0, 10_000)
                        .mapToObj(i -> "\"" + secret + "\"")
                        .collect(Collectors.joining(",", "[\"pwd\",", "]"));
            default -> "[\"pwd\",\"" + secret.repeat(1_000_000 / secret.length()) + "\"]";
        };
        String alias = create(federation.newIdentityProvider().sendingAmr(sent));

        assertEquals("fc pwd", signIn(alias));

        List<String> warnings = warnings(alias);
        assertEquals(1, warnings.size(), warnings::toString);
        for (String line : Files.readAllLines(federation.server().log())) {
            if (line.contains("[io.github.checktoken.")) {
                assertFalse(line.contains(secret) || line.contains(PERSON), line);
            }
        }
    }

    @Test
    void valuesInOrderAreNoReasonToWarn() throws IOException {
        String alias = create(federation.newIdentityProvider().sendingAmr("[\"pwd\",\"otp\"]"));
        signIn(alias);
        assertEquals(List.of(), warnings(alias));
    }

    @ParameterizedTest
    @CsvSource({
        "amr.default, pwd##nobody, fc pwd",
        "amr.accepted.values, nobody, fc",
        "amr.mapping, '[{\"key\":\"otp\",\"value\":\"nobody\"}]', fc",
        "amr.mapping, no JSON, fc otp",
    })
    void settingsThatAreNotKnownAreLeftOutAndTheLogNamesThem(String setting, String value, String amr)
            throws IOException {
        NewIdentityProvider provider = federation.newIdentityProvider().setting(setting, value);
        String alias = create(setting.equals("amr.default") ? provider : provider.sendingAmr("[\"otp\"]"));

        assertEquals(amr, signIn(alias));

        List<String> warnings = warnings(alias);
        assertEquals(1, warnings.size(), warnings::toString);
        assertTrue(warnings.get(0).contains(setting), warnings::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"IMPORT", "FORCE", "LEGACY"})
    void eachLoginHasItsOwnMethodsInEverySyncMode(String syncMode) {
        NewIdentityProvider provider =
                federation.newIdentityProvider().sendingAmr("[\"pwd\"]").syncMode(syncMode);
        String alias = create(provider);
        assertEquals("fc pwd", signIn(alias));

        provider.sendAmr("[\"otp\"]");
        browser = new Browser(federation.server());
        assertEquals("fc otp", signIn(alias));
    }

    @Test
    void singleSignOnTellsTheMethodsOfTheLogin() {
        signIn(create(federation.newIdentityProvider().sendingAmr("[\"pwd\",\"otp\"]")));
        assertEquals(
                "fc pwd otp mfa",
                town.redeem(browser.get(town.request().askingForAmr().url())).amr());
    }

    @Test
    void forcedReauthenticationReplaces() {
        NewIdentityProvider provider = federation.newIdentityProvider().sendingAmr("[\"pwd\",\"otp\"]");
        String alias = create(provider);
        signIn(alias);

        provider.sendAmr("[\"geo\"]");
        assertEquals("fc geo", signIn(alias, town.request().askingForAmr().with("prompt", "login")));
    }

    /** Keycloak keeps the login steps of the person who began, but signs in the person whom the provider names. */
    @ParameterizedTest
    @CsvSource({"true, fc otp", "false, fc"})
    void passwordOfAnotherPersonBeforeTheProviderDoesNotCount(boolean withMapper, String amr) {
        NewIdentityProvider provider = federation.newIdentityProvider().sendingAmr("[\"otp\"]");
        String alias = create(provider);
        if (!withMapper) {
            provider.deleteMapper();
        }
        assertEquals(amr, signIn(alias));

        browser = new Browser(federation.server());
        try (DemoPerson other = new DemoPerson(admin, List.of(DemoPerson.PASSWORD, Totp.credential()), List.of())) {
            HttpResponse<String> page =
                    browser.get(town.request().askingForAmr().url());
            HttpResponse<String> secondStep = browser.givePassword(page, other.name());
            assertHas("[name=otp]", secondStep);
            HttpResponse<String> after = enterPassword(browser.chooseProvider(page, alias, secondStep));

            Tokens tokens = town.redeem(after);
            assertEquals(amr, tokens.amr());
        }
    }

    @Test
    void passwordThatLinksTheAccountAtTheFirstLoginCounts() {
        String alias = create(federation.newIdentityProvider().sendingAmr("[\"otp\"]"));
        createPerson();
        HttpResponse<String> there =
                browser.chooseProvider(browser.get(town.request().askingForAmr().url()), alias);
        HttpResponse<String> question = enterPassword(there);
        HttpResponse<String> form = browser.submit(question, Map.of("submitAction", "linkAccount"));
        assertEquals("fc pwd otp mfa", town.redeem(enterPassword(form)).amr());
    }

    /** A first login at a provider clears Keycloak's note that the authentication was forced. */
    @ParameterizedTest
    @CsvSource({"prompt, login", "max_age, 1"})
    void forcedReauthenticationByAFirstLoginAtTheProviderReplaces(String parameter, String value) {
        String alias = create(federation.newIdentityProvider().sendingAmr("[\"geo\"]"));
        String user = createPerson(DemoPerson.PASSWORD, Totp.credential());
        HttpResponse<String> secondStep =
                town.open(browser, PERSON, town.request().askingForAmr());
        assertEquals(
                "fc pwd otp mfa",
                town.redeem(browser.submit(secondStep, Map.of("otp", Totp.code())))
                        .amr());
        removeOneTimePassword(user);
        Waiting.untilAllIsOlderThan(1);

        HttpResponse<String> there = browser.get(town.request()
                .askingForAmr()
                .with(parameter, value)
                .with("kc_idp_hint", alias)
                .url());
        HttpResponse<String> question = enterPassword(there);
        HttpResponse<String> form = browser.submit(question, Map.of("submitAction", "linkAccount"));
        assertEquals("fc pwd geo", town.redeem(enterPassword(form)).amr());
    }

    @Test
    void linkingAnAccountAddsNoMethod() {
        String alias = create(federation.newIdentityProvider().sendingAmr("[\"otp\"]"));
        String user = createPerson();
        letTownLinkAccounts();
        assertEquals(
                "fc pwd",
                town.signIn(browser, PERSON, town.request().askingForAmr()).amr());

        HttpResponse<String> confirmation = browser.get(town.request()
                .askingForAmr()
                .with("kc_action", "idp_link:" + alias)
                .url());
        HttpResponse<String> there = browser.submit(confirmation, Map.of("continue", "Continue"));
        HttpResponse<String> after = enterPassword(there);

        assertEquals(
                alias,
                admin.get("/users/" + user + "/federated-identity")
                        .at("/0/identityProvider")
                        .asText(),
                "the account must be linked to the provider");
        assertEquals("fc pwd", town.redeem(after).amr());
        assertEquals(
                "fc pwd",
                town.redeem(browser.get(town.request().askingForAmr().url())).amr());
    }

    private void removeOneTimePassword(String user) {
        String credentials = "/users/" + user + "/credentials";
        for (JsonNode credential : admin.get(credentials)) {
            if (credential.get("type").asText().equals("otp")) {
                admin.delete(credentials + "/" + credential.get("id").asText());
            }
        }
    }

    private String createPerson() {
        return createPerson(DemoPerson.PASSWORD);
    }

    @SafeVarargs
    private String createPerson(Map<String, String>... credentials) {
        return admin.create(
                "/users",
                Map.of(
                        "username",
                        PERSON,
                        "enabled",
                        true,
                        "firstName",
                        "Jeanne",
                        "lastName",
                        "Robert",
                        "email",
                        "jeanne@example.org",
                        "credentials",
                        List.of(credentials)));
    }

    /** Gives sp-town the role that Keycloak requires of a client for linking accounts. {@link #cleanUp} removes it. */
    private void letTownLinkAccounts() {
        JsonNode role = admin.get(admin.client("account") + "/roles/manage-account-links");
        admin.post(linkingScope(), List.of(role));
    }

    private String linkingScope() {
        return admin.client("sp-town") + "/scope-mappings" + admin.client("account");
    }

    private String create(NewIdentityProvider provider) {
        providers.add(provider.create());
        return provider.alias();
    }

    private String signIn(String alias) {
        return signIn(alias, town.request().askingForAmr());
    }

    private String signIn(String alias, AuthorizationRequest request) {
        Tokens tokens = town.redeem(enterPassword(browser.chooseProvider(browser.get(request.url()), alias)));
        assertEquals("eidas1", tokens.acr());
        return tokens.amr();
    }

    private HttpResponse<String> enterPassword(HttpResponse<String> page) {
        return browser.givePassword(page, PERSON);
    }

    private List<String> warnings(String alias) throws IOException {
        return Files.readAllLines(federation.server().log()).stream()
                .filter(line -> line.contains(" WARN ") && line.contains("[io.github.checktoken.login.broker."))
                .filter(line -> line.contains(alias))
                .toList();
    }
}
