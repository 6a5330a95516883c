package io.github.checktoken.demo;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.checktoken.demo.pages.DemoPeople;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the demo realm as it was imported: its people, its user profile and its login. */
@ExtendWith(KeycloakExtension.class)
class FederationRealmIT {

    private final Federation federation;
    private final AdminApi admin;

    FederationRealmIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @ParameterizedTest
    @CsvSource({"camille, 75107", "ange, 2A004", "lucien, 13055"})
    void birthplaceIsTheOfficialCode(String username, String birthplace) {
        assertEquals(birthplace, introspection(username).get("birthplace"));
    }

    @Test
    void bornAbroadHasNoBirthplace() {
        Map<String, Object> introspection = introspection("awa");
        assertFalse(introspection.containsKey("birthplace"));
        assertEquals("99341", introspection.get("birthcountry"));
    }

    @Test
    void unknownMonthAndDayAreZero() {
        assertEquals("1951-00-00", introspection("lucien").get("birthdate"));
    }

    @Test
    void disabledPersonCannotSignIn() {
        Browser browser = new Browser(federation.server());
        HttpResponse<String> page =
                browser.get(federation.town().authorizationUrl("/protocol/openid-connect/auth", "openid"));
        HttpResponse<String> after = browser.givePassword(page, "maxime");
        assertEquals(200, after.statusCode());
        assertShows("Account is disabled", after);
    }

    @Test
    void everyDemoPersonFitsTheUserProfile() throws IOException {
        List<DemoPeople.Person> people = DemoRealm.read().people().get(0).people();
        assertFalse(people.isEmpty());
        for (DemoPeople.Person person : people) {
            String path = admin.user(person.username());
            admin.put(path, admin.get(path));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gender, other",
        "gender, Female",
        "birthdate, 1988-3-14",
        "birthdate, 14/03/1988",
        "birthdate, 1988-13-01",
        "birthdate, 1988-02-30",
        "birthdate, 1988-04-31",
        "birthplace, 2C004",
        "birthplace, 7510",
        "birthplace, Paris",
        "birthcountry, FR",
        "birthcountry, 75107"
    })
    void userProfileRefuses(String attribute, String value) {
        HttpResponse<String> response = putCamille(attribute, value);
        assertEquals(400, response.statusCode(), response::body);
        assertTrue(response.body().contains(attribute), response::body);
    }

    @ParameterizedTest
    @CsvSource({
        "gender, male",
        "birthdate, 1988-00-00",
        "birthdate, 1988-05-00",
        "birthdate, 1988-02-29",
        "birthdate, 1988-12-31",
        "birthplace, 2B033",
        "birthplace, 97411",
        "birthplace, 01001",
        "birthplace, 20004",
        "birthcountry, 99100",
        "birthcountry, 99341"
    })
    void userProfileAccepts(String attribute, String value) {
        String user = admin.user("camille");
        JsonNode before = admin.get(user);
        try {
            assertEquals(204, putCamille(attribute, value).statusCode());
        } finally {
            admin.put(user, before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/protocol/openid-connect/auth", "/api/v1/authorize", "/api/v2/authorize"})
    void signInAndSingleSignOnAreBothEidas1(String path) {
        Browser browser = new Browser(federation.server());
        HttpResponse<String> page = browser.get(federation.town().authorizationUrl(path, "openid"));
        Tokens first = federation.town().redeem(browser.givePassword(page, "camille"));

        // Another service provider in the same browser.
        HttpResponse<String> redirect = browser.get(federation.bank().authorizationUrl(path, "openid"));
        assertEquals(302, redirect.statusCode(), "the person must not be asked to sign in again");
        Tokens second = federation.bank().redeem(redirect);
        // The same without acr_values.
        HttpResponse<String> plain =
                browser.get(federation.town().authorizationUrl(path, "openid").replace("acr_values=eidas1&", ""));
        assertEquals(302, plain.statusCode(), "the person must not be asked to sign in again");
        Tokens third = federation.town().redeem(plain);

        for (Tokens tokens : List.of(first, second, third)) {
            assertEquals("eidas1", Tokens.claims(tokens.idToken()).get("acr").asText());
            assertEquals(
                    "eidas1",
                    federation.tax().check(tokens.accessToken()).introspection().get("acr"));
        }
    }

    @Test
    void serviceProviderGetsTheIdentityClaimsThatItAsksFor() {
        JsonNode all = Tokens.claims(federation
                .town()
                .signIn(
                        "camille",
                        "openid given_name family_name gender preferred_username birthdate birthplace birthcountry"
                                + " email")
                .idToken());
        assertEquals("Camille Louise Marie", all.get("given_name").asText());
        assertEquals("Moreau", all.get("family_name").asText());
        assertEquals("female", all.get("gender").asText());
        assertEquals("camille", all.get("preferred_username").asText());
        assertEquals("1988-03-14", all.get("birthdate").asText());
        assertEquals("75107", all.get("birthplace").asText());
        assertEquals("99100", all.get("birthcountry").asText());
        assertEquals("camille@example.org", all.get("email").asText());

        JsonNode one = Tokens.claims(
                federation.town().signIn("camille", "openid gender").idToken());
        assertTrue(one.has("gender"));
        for (String claim : List.of("given_name", "family_name", "birthdate", "email", "preferred_username")) {
            assertFalse(one.has(claim), claim);
        }
    }

    @Test
    void accessTokensCarryNoIdentity() {
        JsonNode claims =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessClaims();
        for (String claim : List.of("given_name", "family_name", "birthdate", "gender")) {
            assertFalse(claims.has(claim), claim);
        }
    }

    /** As the imported realm has it: the other tests of this pool have ordinary tokens. */
    @Test
    void userinfoHasTheClaimsAndTheTokenForADataProviderTellsNothing() {
        setAttribute("client.use.lightweight.access.token.enabled", "true");
        try {
            Tokens tokens = federation.town().signIn("camille", "openid given_name family_name tax_income");
            JsonNode userinfo = Http.json(userinfo(tokens));
            assertEquals(Tokens.claims(tokens.idToken()).get("sub"), userinfo.get("sub"));
            assertEquals("Camille Louise Marie", userinfo.get("given_name").asText());
            assertEquals("Moreau", userinfo.get("family_name").asText());

            Tokens narrowed = federation
                    .town()
                    .token(Map.of(
                            "grant_type", "refresh_token",
                            "refresh_token", tokens.refreshToken(),
                            "scope", "tax_income"));
            for (Tokens one : List.of(tokens, narrowed)) {
                assertEquals(Set.of(), intersection(one.accessClaims(), "sub", "given_name", "family_name"));
            }
            assertTellsNothing(userinfo(narrowed));
            Map<String, Object> answer =
                    federation.tax().check(narrowed.accessToken()).introspection();
            assertEquals("tax_income", answer.get("scope"));
            assertEquals("eidas1", answer.get("acr"));
            assertEquals("Moreau", answer.get("family_name"));
            assertEquals(200, userinfo(federation.town().refresh(narrowed)).statusCode());
        } finally {
            setAttribute("client.use.lightweight.access.token.enabled", "false");
        }
    }

    @Test
    void userinfoCanBeSigned() throws Exception {
        setAttribute("client.use.lightweight.access.token.enabled", "true");
        setAttribute("user.info.response.signature.alg", "ES256");
        try {
            Tokens tokens = federation.town().signIn("camille", "openid given_name");
            SignedJWT signed = SignedJWT.parse(userinfo(tokens).body());
            JWK key = JWKSet.parse(Http.send(Http.request(federation.url() + "/protocol/openid-connect/certs"))
                            .body())
                    .getKeyByKeyId(signed.getHeader().getKeyID());
            assertTrue(signed.verify(new ECDSAVerifier(key.toECKey())));
            assertEquals(List.of("sp-town"), signed.getJWTClaimsSet().getAudience());
            assertEquals("Camille Louise Marie", signed.getJWTClaimsSet().getClaim("given_name"));
        } finally {
            setAttribute("client.use.lightweight.access.token.enabled", "false");
            setAttribute("user.info.response.signature.alg", "");
        }
    }

    private HttpResponse<String> userinfo(Tokens tokens) {
        return Http.send(Http.request(federation.url() + "/protocol/openid-connect/userinfo")
                .header("Authorization", "Bearer " + tokens.accessToken()));
    }

    /** Keycloak 26.5 keeps the scope openid in a narrowed token, but userinfo gives the claims of its scopes only. */
    private static void assertTellsNothing(HttpResponse<String> userinfo) {
        if (System.getProperty("keycloak.version").startsWith("26.5.")) {
            assertEquals(1, Http.json(userinfo).size(), userinfo::body);
            assertTrue(Http.json(userinfo).has("sub"), userinfo::body);
        } else {
            assertEquals(403, userinfo.statusCode(), userinfo::body);
        }
    }

    private void setAttribute(String name, String value) {
        admin.update(
                admin.client("sp-town"),
                client -> client.withObject("/attributes").put(name, value));
    }

    private static Set<String> intersection(JsonNode claims, String... names) {
        return Stream.of(names).filter(claims::has).collect(Collectors.toSet());
    }

    private Map<String, Object> introspection(String username) {
        return federation
                .tax()
                .check(federation.town().signIn(username, "openid").accessToken())
                .introspection();
    }

    private HttpResponse<String> putCamille(String attribute, String value) {
        String user = admin.user("camille");
        ObjectNode changed = admin.get(user).deepCopy();
        ((ObjectNode) changed.get("attributes")).putArray(attribute).add(value);
        return admin.send("PUT", user, changed);
    }
}
