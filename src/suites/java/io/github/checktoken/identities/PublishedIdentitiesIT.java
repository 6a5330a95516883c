package io.github.checktoken.identities;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * FranceConnect's 137 test identities, entered in three ways. Each member of each answer is in the contract's format, and
 * has the value of the file; what is left out is listed here.
 */
@Tag("long")
@ExtendWith(KeycloakExtension.class)
class PublishedIdentitiesIT {

    /** Four countries are none. Keycloak's profile refuses them, which is asked only when an administrator saves. */
    private static final List<String> WRONG_COUNTRIES =
            List.of("34 birthcountry", "35 birthcountry", "36 birthcountry", "86 birthcountry");

    /** A commune with another country (three), and a country in place of a commune. */
    private static final List<String> WRONG_PLACES =
            List.of("37 birthplace", "79 birthplace", "109 birthplace", "117 birthplace");

    private static final Map<String, Pattern> FORMATS = Map.of(
            "gender", Pattern.compile("male|female"),
            "birthdate", Pattern.compile("\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01])"),
            "birthplace", Pattern.compile("(\\d\\d|2A|2B)\\d{3}"),
            "birthcountry", Pattern.compile("99\\d{3}"),
            "family_name", Pattern.compile(".+"),
            "given_name", Pattern.compile(".+"));

    private final List<PublishedIdentity> identities = PublishedIdentity.all();
    private final Federation federation;
    private final AdminApi admin;
    private final AdminApi upstream;
    private final DataProviderClient dataProvider;

    PublishedIdentitiesIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.upstream = new AdminApi(federation.server(), federation.upstream());
        this.dataProvider = federation.newDataProvider().create();
    }

    /** Otherwise a person whose profile is not as the realm wants it sees a page that nobody here fills in. */
    @BeforeEach
    void letIncompleteProfilesIn() {
        askForProfiles(false);
    }

    @AfterEach
    void restore() {
        askForProfiles(true);
        for (AdminApi realm : List.of(admin, upstream)) {
            for (JsonNode user : realm.get("/users?max=1000&email=@example.org")) {
                if (user.get("username").asText().startsWith("identity-")) {
                    realm.delete("/users/" + user.get("id").asText());
                }
            }
        }
    }

    @Test
    void thereAre137() {
        assertEquals(137, identities.size());
    }

    @Test
    void enteredByAnAdministrator() {
        List<String> refused = new ArrayList<>();
        List<PublishedIdentity> entered = new ArrayList<>();
        for (PublishedIdentity identity : identities) {
            HttpResponse<String> response = admin.send("POST", "/users", identity.user("identity-entered"));
            if (response.statusCode() == 201) {
                entered.add(identity);
            } else {
                refused.add(identity.number() + " "
                        + Http.json(response.body()).get("field").asText());
            }
        }
        List<String> expected = new ArrayList<>(WRONG_COUNTRIES);
        expected.addAll(List.of("10 lastName", "91 firstName"));
        assertEquals(sorted(expected), refused);
        assertEquals(
                WRONG_PLACES,
                leftOut(entered, person -> federation.town().signIn(person.username("identity-entered"), "openid")));
    }

    @Test
    void imported() {
        importInto(admin, "identity-imported");
        assertEquals(
                leftOutOfAll(),
                leftOut(
                        identities,
                        person -> federation.town().signIn(person.username("identity-imported"), "openid")));
    }

    @Test
    void signedInAtAProvider() {
        importInto(upstream, "identity-upstream");
        assertEquals(leftOutOfAll(), leftOut(identities, this::atTheProvider));
    }

    private static List<String> leftOutOfAll() {
        List<String> all = new ArrayList<>(WRONG_COUNTRIES);
        all.addAll(WRONG_PLACES);
        return sorted(all);
    }

    /** @return the number and the member of each value that is not in its answer */
    private List<String> leftOut(List<PublishedIdentity> people, Function<PublishedIdentity, Tokens> login) {
        List<String> leftOut = new ArrayList<>();
        for (PublishedIdentity person : people) {
            Map<String, Object> answer =
                    dataProvider.check(login.apply(person).accessToken()).introspection();
            FORMATS.forEach((member, format) -> {
                Object value = answer.get(member);
                if (value != null) {
                    assertTrue(format.matcher((String) value).matches(), person.number() + " " + member);
                    assertEquals(person.members().get(member), value, person.number() + " " + member);
                } else if (person.members().containsKey(member)) {
                    leftOut.add(person.number() + " " + member);
                }
            });
            String names = person.members().getOrDefault("given_name", "");
            assertEquals(
                    names.isEmpty() ? null : List.of(names.split(" ")),
                    answer.get("given_name_array"),
                    person::toString);
        }
        return sorted(leftOut);
    }

    private static List<String> sorted(List<String> all) {
        return all.stream()
                .sorted((one, other) -> Integer.parseInt(one.split(" ")[0]) - Integer.parseInt(other.split(" ")[0]))
                .toList();
    }

    private Tokens atTheProvider(PublishedIdentity person) {
        Browser browser = new Browser(federation.server());
        HttpResponse<String> page =
                browser.get(federation.town().request().with("scope", "openid").url());
        HttpResponse<String> form = browser.chooseProvider(page, "identity-provider");
        return federation.town().redeem(browser.givePassword(form, person.username("identity-upstream")));
    }

    private void importInto(AdminApi realm, String entered) {
        List<Map<String, Object>> users =
                identities.stream().map(identity -> identity.user(entered)).toList();
        realm.post("/partialImport", Map.of("ifResourceExists", "FAIL", "users", users));
    }

    private void askForProfiles(boolean asked) {
        for (AdminApi realm : List.of(admin, upstream)) {
            realm.update("/authentication/required-actions/VERIFY_PROFILE", action -> action.put("enabled", asked));
        }
        String review = admin.execution("federation first login", "idp-review-profile")
                .get("authenticationConfig")
                .asText();
        admin.update(
                "/authentication/config/" + review,
                config -> config.withObject("/config").put("update.profile.on.first.login", asked ? "missing" : "off"));
    }
}
