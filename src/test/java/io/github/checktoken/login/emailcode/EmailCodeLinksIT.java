package io.github.checktoken.login.emailcode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHasNot;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests what another website can do to a person who has a session. Its links, images and forms reach Keycloak with the
 * person's cookies. So the browser in these tests is always the person's, even if another website sends the request.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmailCodeLinksIT {

    private static final String OFFER = "No code was sent for this sign-in yet.";
    private static final String SENT = "We sent a code to c•••@example.org.";
    private static final Map<String, String> RESEND = Map.of("resend", "");

    private final KeycloakServer server;
    private final EmailCodeRealm realm;
    private Browser browser;
    private Person person;

    EmailCodeLinksIT(KeycloakServer server, EmailCodeRealm realm) {
        this.server = server;
        this.realm = realm;
    }

    /** Creates a person who is signed in with only the password. */
    @BeforeEach
    void personWithSession() {
        realm.settings(Map.of());
        browser = new Browser(server);
        person = realm.person();
        HttpResponse<String> page = browser.get(request("one").url());
        assertSignedIn(browser.givePassword(page, person.username()));
    }

    @Test
    void passiveRequestsSendNoMailAndTheNextOneThatIsNotSendsOne() {
        for (int i = 0; i < 10; i++) {
            HttpResponse<String> answer =
                    browser.get(request("two").with("prompt", "none").url());
            assertTrue(location(answer).contains("error=login_required"), location(answer));
        }
        assertMails(0);

        HttpResponse<String> page = browser.get(request("two").url());
        assertShows(SENT, page);
        assertSignedIn(enterCode(page));
    }

    /** Keycloak answers the POST binding with a redirect to the login pages, unless the request is passive. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void passiveSamlRequestsSendNoMailAndTheNextOneThatIsNotSendsOne(boolean posted) {
        for (int i = 0; i < 3; i++) {
            String answer = saml(true, posted).body();
            assertTrue(answer.contains("SAMLResponse"), answer);
        }
        assertMails(0);

        assertShows(SENT, saml(false, posted));
        assertMails(1);
    }

    @Test
    void passiveRequestThatAnIdentityProviderAnsweredSendsNoMail() {
        String provider = realm.providerOf(person);
        Browser other = new Browser(server);
        signInAtProvider(other, other.get(providerRequest(provider).url()));
        HttpResponse<String> page = realm.signIn(browser, person);
        assertSignedIn(enterCode(page));
        assertMails(2);

        for (int i = 0; i < 3; i++) {
            HttpResponse<String> answer =
                    other.get(providerRequest(provider).with("prompt", "none").url());
            assertTrue(location(answer).contains("error=interaction_required"), location(answer));
        }
        assertMails(2);
        page = other.get(providerRequest(provider).url());
        assertShows(SENT, page);
        assertMails(3);
    }

    @Test
    void linksSendOneMailAndTheirPagesOfferAnother() {
        assertShows(SENT, browser.get(request("two").url()));
        HttpResponse<String> page = null;
        for (int i = 0; i < 10; i++) {
            page = browser.get(request("two").url());
            assertShows(OFFER, page);
            assertHasNot("#code", page);
        }
        assertMails(1);
        assertEquals(List.of(), realm.errors(person));

        page = browser.submit(page, RESEND);
        assertShows(SENT, page);
        assertMails(2);
        assertSignedIn(enterCode(page));
    }

    @Test
    void pageThatOffersACodeSendsNoneWhenItIsLoadedAnewOrStartedAgain() {
        browser.get(request("two").url());
        HttpResponse<String> page = browser.get(request("two").url());
        page = browser.get(page.uri().toString());
        assertShows(OFFER, page);
        page = browser.get(page.uri() + "&kc_locale=en");
        assertShows(OFFER, page);
        String restart =
                Browser.action(page).replace("/authenticate?", "/restart?").replaceFirst("session_code=[^&]+&", "")
                        + "&skip_logout=true";
        assertShows(OFFER, browser.get(restart));
        assertMails(1);
    }

    /** Another site can have a form that submits itself. That is a POST too, and its address may have any parameter. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?session_code=guessed&execution=guessed"})
    void formsOfOtherSitesCountAsLinks(String query) {
        Map<String, String> parameters = request("two").parameters();
        String endpoint = realm.url() + "/protocol/openid-connect/auth" + query;
        assertShows(SENT, browser.post(endpoint, parameters));
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> page = browser.post(endpoint, parameters);
            assertShows(OFFER, page);
        }
        assertMails(1);
    }

    @Test
    void loginPageThatIsPostedToWithoutItsCodeSendsNoMail() {
        browser.get(request("two").url());
        HttpResponse<String> page = browser.get(request("two").url());
        String action = Browser.action(page);
        page = browser.post(action.replaceFirst("session_code=[^&]+&", ""), RESEND);
        assertShows(OFFER, page);
        page = browser.post(action.replaceFirst("session_code=[^&]+&", "session_code=guessed&"), RESEND);
        assertShows(OFFER, page);
        page = browser.get(action.replaceFirst("session_code=[^&]+&", "session_code=guessed&") + "&resend=");
        assertShows(OFFER, page);
        assertMails(1);
    }

    @Test
    void linksDoNotUseUpTheCodesThatThePersonAsksFor() {
        realm.settings(Map.of("maxCodesPerHour", "1"));
        browser.get(request("two").url());
        HttpResponse<String> page = browser.get(request("two").url());
        page = browser.submit(page, RESEND);
        assertShows(SENT, page);
        assertMails(2);

        HttpResponse<String> limit = browser.submit(browser.get(request("two").url()), RESEND);
        assertShows("No new code was sent, because too many were asked for.", limit);
        assertSignedIn(enterCode(page));
    }

    @Test
    void passwordThatIsGivenInAFormSendsACodeAtOnceAsOftenAsCodesAreLeft() {
        browser.get(request("two").url());
        for (int mails = 2; mails <= 4; mails++) {
            assertShows(SENT, realm.signIn(new Browser(server), person));
            assertMails(mails);
        }
    }

    @Test
    void rightCodeGivesTheMailOfALinkBack() {
        HttpResponse<String> page = browser.get(request("two").url());
        browser.submit(page, Map.of("code", realm.wrongCodeFor(person)));
        assertShows(OFFER, browser.get(request("two").url()));

        page = realm.signIn(new Browser(server), person);
        assertMails(2);
        Browser other = new Browser(server);
        page = realm.signIn(other, person);
        assertSignedIn(other.submit(page, Map.of("code", realm.codeOf(person))));
        assertMails(3);

        assertShows(SENT, browser.get(request("two").url()));
        assertMails(4);
    }

    @Test
    void stepUpSendsAtOnceEachTimeThatThePersonFinishesIt() {
        for (int mails = 1; mails <= 3; mails++) {
            HttpResponse<String> page = browser.get(session().url());
            assertShows(SENT, page);
            assertMails(mails);
            assertSignedIn(enterCode(page));
        }
    }

    @Test
    void brokeredLoginSendsAtOnceAndAgainWhenItWasNotFinishedOnlyIfAsked() {
        String provider = realm.providerOf(person);
        browser = new Browser(server);
        HttpResponse<String> page =
                signInAtProvider(browser, browser.get(providerRequest(provider).url()));
        assertShows(SENT, page);
        assertMails(1);

        page = browser.get(providerRequest(provider).url());
        assertShows(OFFER, page);
        assertMails(1);
        assertSignedIn(enterCode(browser.submit(page, RESEND)));
        assertMails(2);
    }

    @Test
    void grantWithoutABrowserSendsNoMail() {
        HttpResponse<String> answer = realm.serviceProvider()
                .post(
                        "/protocol/openid-connect/token",
                        Map.of("grant_type", "password", "username", person.username(), "password", "demo-password"));
        assertFalse(answer.body().contains("access_token"), answer.body());
        assertMails(0);
    }

    private AuthorizationRequest request(String level) {
        return realm.stepUpServiceProvider().request().with("acr_values", level);
    }

    private AuthorizationRequest session() {
        return realm.sessionServiceProvider().request().without("acr_values");
    }

    private AuthorizationRequest providerRequest(String provider) {
        return realm.providerServiceProvider().request().without("acr_values").with("kc_idp_hint", provider);
    }

    private static HttpResponse<String> signInAtProvider(Browser browser, HttpResponse<String> page) {
        return browser.givePassword(page, "jeanne");
    }

    private HttpResponse<String> saml(boolean passive, boolean posted) {
        String endpoint = realm.url() + "/protocol/saml";
        byte[] request = authnRequest(passive).getBytes(StandardCharsets.UTF_8);
        return posted
                ? browser.post(endpoint, Map.of("SAMLRequest", base64(request)))
                : browser.get(endpoint + "?SAMLRequest=" + Http.encode(base64(deflated(request))));
    }

    private String authnRequest(boolean passive) {
        return """
                <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0" ID="ID_%s"
                        IssueInstant="%s" Destination="%s/protocol/saml" IsPassive="%s"
                        AssertionConsumerServiceURL="%s"
                        ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"><saml:Issuer
                        xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">%s</saml:Issuer></samlp:AuthnRequest>""".formatted(
                        UUID.randomUUID(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        realm.url(),
                        passive,
                        realm.samlRedirectUri(),
                        realm.samlClient());
    }

    private static byte[] deflated(byte[] bytes) {
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated, new Deflater(Deflater.DEFLATED, true))) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return deflated.toByteArray();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private HttpResponse<String> enterCode(HttpResponse<String> page) {
        return browser.submit(page, Map.of("code", realm.codeOf(person)));
    }

    private void assertMails(int number) {
        assertEquals(number, realm.mailsTo(person).size());
    }

    private static String location(HttpResponse<String> answer) {
        return answer.headers().firstValue("Location").orElse(answer.statusCode() + " " + answer.body());
    }

    private static void assertSignedIn(HttpResponse<String> answer) {
        assertTrue(location(answer).contains("code="), location(answer));
    }
}
