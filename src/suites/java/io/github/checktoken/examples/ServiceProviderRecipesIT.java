package io.github.checktoken.examples;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The service provider guide's recipes ask for a second factor of their own unless the person has used two. */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class ServiceProviderRecipesIT {

    private static final String HOME = "/";
    private static final String SECOND_FACTOR = "/second-factor";
    private static final String PIN_CODE = "271828";

    /** What a person uses after the password. */
    private enum Further {
        NOTHING,
        PIN,
        ONE_TIME_PASSWORD;

        List<Map<String, String>> credentials() {
            return switch (this) {
                case NOTHING -> List.of(DemoPerson.PASSWORD);
                case PIN -> List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", PIN_CODE));
                case ONE_TIME_PASSWORD -> List.of(DemoPerson.PASSWORD, Totp.credential());
            };
        }

        HttpResponse<String> give(ProgramBrowser browser, HttpResponse<String> page) {
            return switch (this) {
                case NOTHING -> page;
                case PIN -> browser.submit(page, Map.of("pin", PIN_CODE));
                case ONE_TIME_PASSWORD -> browser.submit(page, Map.of("otp", Totp.code()));
            };
        }
    }

    private final Federation federation;

    ServiceProviderRecipesIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @EnumSource
    void passwordIsOneFactor(Recipe recipe) throws IOException {
        assertEquals(new Shown(SECOND_FACTOR, "fc pwd"), signIn(recipe, Further.NOTHING));
    }

    @ParameterizedTest
    @EnumSource
    void passwordAndPinAreOneKindOfFactor(Recipe recipe) throws IOException {
        assertEquals(new Shown(SECOND_FACTOR, "fc pwd pin"), signIn(recipe, Further.PIN));
    }

    @ParameterizedTest
    @EnumSource
    void passwordAndOneTimePasswordAreTwoFactors(Recipe recipe) throws IOException {
        assertEquals(new Shown(HOME, "fc pwd mfa"), signIn(recipe, Further.ONE_TIME_PASSWORD));
    }

    /** The request goes through the browser of a person, who can change it. */
    @ParameterizedTest
    @EnumSource
    void requestWithoutClaimsDoesNotReplaceTheSecondFactor(Recipe recipe) throws IOException {
        UnaryOperator<String> withoutClaims = address -> address.replaceFirst("claims=[^&]*&?", "");

        assertEquals(new Shown(SECOND_FACTOR, ""), signIn(recipe, Further.ONE_TIME_PASSWORD, "RS256", withoutClaims));
    }

    /** The guide says so. The others accept what the metadata of the realm list. */
    @ParameterizedTest
    @EnumSource
    void onlyTwoLibrariesInsistOnRs256(Recipe recipe) throws IOException {
        Set<Recipe> insist = Set.of(Recipe.EXPRESS, Recipe.SPRING);

        Shown shown = signIn(recipe, Further.NOTHING, "ES256", UnaryOperator.identity());

        assertEquals(insist.contains(recipe), !shown.equals(new Shown(SECOND_FACTOR, "fc pwd")), shown.toString());
    }

    /** @param amr as the page shows it */
    private record Shown(String path, String amr) {

        static Shown of(HttpResponse<String> page, RunningExample running) {
            String[] text = page.body().split("You signed in with ?", 2);
            return new Shown(page.uri().getPath(), text.length == 2 ? text[1] : page.body() + running.printed());
        }
    }

    private Shown signIn(Recipe recipe, Further further) throws IOException {
        return signIn(recipe, further, "RS256", UnaryOperator.identity());
    }

    /** @param change what the person does to the addresses that the browser opens */
    private Shown signIn(Recipe recipe, Further further, String algorithm, UnaryOperator<String> change)
            throws IOException {
        Map<String, String> settings = ProgramSettings.register(federation, algorithm);
        try (DemoPerson person = new DemoPerson(federation.admin(), further.credentials(), List.of());
                ApplicationBehindApache application = new ApplicationBehindApache()) {
            settings.put("APPLICATION", application.url());
            settings.put("PORT", "" + URI.create(settings.get("REDIRECT_URI")).getPort());
            settings.put("PID_FILE", ExampleFiles.newFolder("apache-") + "/pid");
            try (RunningExample running = recipe.start(settings)) {
                running.await(recipe.started());
                ProgramBrowser browser = new ProgramBrowser(federation.server(), change);
                HttpResponse<String> page = browser.givePassword(browser.open(settings), person.name());
                return Shown.of(further.give(browser, page), running);
            }
        }
    }
}
