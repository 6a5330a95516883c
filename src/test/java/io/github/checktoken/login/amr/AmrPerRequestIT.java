package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;
import java.util.Map;

import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Each request is answered separately, although the tabs of a browser share one session and one client session. */
@ExtendWith(KeycloakExtension.class)
class AmrPerRequestIT {

    private static final String PERSON = "camille";

    private final Federation federation;
    private final ServiceProvider town;
    private final ServiceProvider bank;
    private final Browser browser;

    AmrPerRequestIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.bank = federation.bank();
        this.browser = new Browser(federation.server());
    }

    @Test
    void singleSignOnThatDoesNotAskGetsNothingAfterALoginThatDid() {
        assertEquals("fc pwd", signIn(asking()).amr());
        assertNull(signIn(plain()).amr());
        assertNull(signIn(plain().without("nonce")).amr());
        assertNull(signIn(plain().without("acr_values")).amr());
    }

    @Test
    void singleSignOnThatAsksGetsTheMethodsOfTheFirstLogin() {
        assertNull(signIn(plain()).amr());
        assertEquals("fc pwd", signIn(asking()).amr());
        assertEquals("fc pwd", signIn(asking().without("nonce")).amr());
        assertEquals("fc pwd", signIn(asking().without("acr_values")).amr());
    }

    @Test
    void twoTabsAreToldApart() {
        signIn(plain());
        HttpResponse<String> first = open(asking());
        HttpResponse<String> second = open(plain());
        HttpResponse<String> third = open(asking());
        assertNull(town.redeem(second).amr());
        assertEquals("fc pwd", town.redeem(third).amr());
        assertEquals("fc pwd", town.redeem(first).amr());
    }

    @Test
    void tabsOfWhichEachSignsInAreToldApart() {
        HttpResponse<String> firstForm = browser.get(asking().url());
        HttpResponse<String> secondForm = browser.get(plain().url());
        HttpResponse<String> first = submit(firstForm);
        HttpResponse<String> second = submit(secondForm);
        assertNull(town.redeem(second).amr());
        assertEquals("fc pwd", town.redeem(first).amr());
    }

    @Test
    void tabsWithoutNonceAreToldApartByTheirPkceChallenge() {
        signIn(plain());
        CodeVerifier ofFirst = new CodeVerifier();
        CodeVerifier ofSecond = new CodeVerifier();
        HttpResponse<String> first = open(asking().without("nonce").challenging(ofFirst, CodeChallengeMethod.S256));
        HttpResponse<String> second = open(plain().without("nonce").challenging(ofSecond, CodeChallengeMethod.PLAIN));
        assertNull(town.redeem(second, ofSecond).amr());
        assertEquals("fc pwd", town.redeem(first, ofFirst).amr());
    }

    /** Some clients send the same nonce always, or an empty one. */
    @ParameterizedTest
    @ValueSource(strings = {"", "always-the-same"})
    void tabsWithTheSameNonceAreToldApartByTheirPkceChallenge(String nonce) {
        signIn(plain());
        CodeVerifier ofFirst = new CodeVerifier();
        CodeVerifier ofSecond = new CodeVerifier();
        HttpResponse<String> first = open(asking().with("nonce", nonce).challenging(ofFirst, CodeChallengeMethod.S256));
        HttpResponse<String> second =
                open(plain().with("nonce", nonce).challenging(ofSecond, CodeChallengeMethod.S256));
        assertNull(town.redeem(second, ofSecond).amr());
        assertEquals("fc pwd", town.redeem(first, ofFirst).amr());
    }

    @Test
    void plainPkceChallengeIsFound() {
        CodeVerifier verifier = new CodeVerifier();
        HttpResponse<String> answer = open(asking().without("nonce").challenging(verifier, CodeChallengeMethod.PLAIN));
        assertEquals("fc pwd", town.redeem(answer, verifier).amr());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tabsThatCannotBeToldApartGetNothingWhereTheyDiffer(boolean firstAsks) {
        signIn(plain());
        HttpResponse<String> first = open((firstAsks ? asking() : plain()).without("nonce"));
        HttpResponse<String> second = open((firstAsks ? plain() : asking()).without("nonce"));
        assertNull(town.redeem(first).amr());
        assertNull(town.redeem(second).amr());
    }

    @Test
    void tabsThatCannotBeToldApartAreAnsweredWhereTheyAgree() {
        signIn(plain());
        HttpResponse<String> first = open(asking().without("nonce"));
        HttpResponse<String> second = open(asking().without("nonce"));
        assertEquals("fc pwd", town.redeem(second).amr());
        assertEquals("fc pwd", town.redeem(first).amr());
    }

    @Test
    void requestIsToldApartAgainOnceTheCodesOfTheOthersAreRedeemed() {
        tabsThatCannotBeToldApartGetNothingWhereTheyDiffer(true);
        assertEquals("fc pwd", signIn(asking().without("nonce")).amr());
    }

    @Test
    void codeThatNobodyRedeemsIsForgottenWhenItExpires() {
        AdminApi admin = federation.admin();
        int lifespan = admin.get("").get("accessCodeLifespan").asInt();
        admin.put("", Map.of("accessCodeLifespan", 1));
        try {
            open(plain().without("nonce"));
        } finally {
            admin.put("", Map.of("accessCodeLifespan", lifespan));
        }
        Waiting.untilAllIsOlderThan(1);
        assertEquals("fc pwd", signIn(asking().without("nonce")).amr());
    }

    @Test
    void nonceThatAClientUsesTwiceTellsNothingApart() {
        signIn(plain());
        HttpResponse<String> first = open(asking().with("nonce", "always-the-same"));
        HttpResponse<String> second = open(plain().with("nonce", "always-the-same"));
        assertNull(town.redeem(first).amr());
        assertNull(town.redeem(second).amr());
    }

    @Test
    void twoServiceProvidersOfOneSessionAreAnsweredAsEachAsked() {
        HttpResponse<String> atTown = open(asking());
        HttpResponse<String> atBank = bank.open(browser, PERSON, bank.request());
        assertNull(bank.redeem(atBank).amr());
        Tokens town = this.town.redeem(atTown);
        assertEquals("fc pwd", town.amr());
        Tokens bank = this.bank.signIn(browser, PERSON, this.bank.request());
        assertEquals("fc pwd", this.town.refresh(town).amr());
        assertNull(this.bank.refresh(bank).amr());
    }

    @ParameterizedTest
    @ValueSource(strings = {"openid", "openid offline_access"})
    void refreshAnswersAsItsLoginDid(String scope) {
        Tokens asked = signIn(asking().with("scope", scope));
        Tokens silent = signIn(plain().with("scope", scope));
        for (int refreshes = 0; refreshes < 3; refreshes++) {
            asked = town.refresh(asked);
            silent = town.refresh(silent);
            assertEquals("fc pwd", asked.amr());
            assertNull(silent.amr());
        }
    }

    @Test
    void refreshTokenThatIsUsedAgainAnswersTheSame() {
        Tokens tokens = signIn(asking());
        assertEquals("fc pwd", town.refresh(tokens).amr());
        assertEquals("fc pwd", town.refresh(tokens).amr());
    }

    /**
     * The session must not grow with each refresh, so only the sixteen refresh tokens that were issued or used last are
     * remembered.
     */
    @Test
    void refreshTokenOfLongAgoIsForgotten() {
        Tokens first = signIn(asking());
        Tokens latest = first;
        for (int refreshes = 0; refreshes < 20; refreshes++) {
            latest = town.refresh(latest);
        }
        assertEquals("fc pwd", latest.amr());
        assertNull(town.refresh(first).amr());
    }

    @Test
    void refreshWithRotationAnswersAsItsLoginDid() {
        AdminApi admin = federation.admin();
        admin.put("", Map.of("revokeRefreshToken", true));
        try {
            Tokens tokens = signIn(asking());
            for (int refreshes = 0; refreshes < 3; refreshes++) {
                tokens = town.refresh(tokens);
                assertEquals("fc pwd", tokens.amr());
            }
        } finally {
            admin.put("", Map.of("revokeRefreshToken", false));
        }
    }

    @Test
    void refreshTokenThatIsUsedAgainAndAgainAnswersEachTime() {
        Tokens tokens = signIn(asking());
        for (int refreshes = 0; refreshes < 20; refreshes++) {
            assertEquals("fc pwd", town.refresh(tokens).amr(), "refresh " + refreshes);
        }
    }

    @Test
    void hybridFlowAnswersInBothIdTokens() {
        withImplicitFlow(() -> {
            signIn(plain());
            String asked = hybrid(asking());
            String silent = hybrid(plain());
            assertEquals("fc pwd", idToken(asked).amr());
            assertNull(idToken(silent).amr());
            assertNull(town.redeem(silent).amr());
            assertEquals("fc pwd", town.redeem(asked).amr());
        });
    }

    @Test
    void implicitFlowAnswersEachRequestAlone() {
        withImplicitFlow(() -> {
            assertEquals("fc pwd", implicit(asking()).amr());
            assertNull(implicit(plain()).amr());
            assertEquals("fc pwd", implicit(asking()).amr());
        });
    }

    /**
     * The direct grant has no authorization request, so nothing can ask for amr. The demo realm has closed this grant,
     * so the test opens it.
     */
    @Test
    void directGrantGetsNothing() {
        AdminApi admin = federation.admin();
        String path = admin.client("sp-town");
        String flow = admin.flow("direct grant");
        admin.update(path, client -> {
            client.put("directAccessGrantsEnabled", true);
            client.putObject("authenticationFlowBindingOverrides").put("direct_grant", flow);
        });
        try {
            Tokens tokens = town.token(Map.of(
                    "grant_type",
                    "password",
                    "username",
                    PERSON,
                    "password",
                    "demo-password",
                    "scope",
                    "openid",
                    "claims",
                    AuthorizationRequest.AMR));
            assertNull(tokens.amr());
        } finally {
            admin.update(path, client -> {
                client.put("directAccessGrantsEnabled", false);
                client.putObject("authenticationFlowBindingOverrides").put("direct_grant", "");
            });
        }
    }

    @Test
    void serviceThatActsForItselfHasUsedItsSecret() {
        AdminApi admin = federation.admin();
        String path = admin.client("sp-town");
        admin.update(path, client -> client.put("serviceAccountsEnabled", true));
        try {
            Map<String, String> form = Map.of("grant_type", "client_credentials", "scope", "openid");
            assertNull(town.token(form).amr());
            assertEquals(
                    "fc pwd",
                    town.token(Map.of(
                                    "grant_type",
                                    "client_credentials",
                                    "scope",
                                    "openid",
                                    "claims",
                                    AuthorizationRequest.AMR))
                            .amr());
        } finally {
            admin.update(path, client -> client.put("serviceAccountsEnabled", false));
        }
    }

    private AuthorizationRequest asking() {
        return town.request().askingForAmr();
    }

    private AuthorizationRequest plain() {
        return town.request();
    }

    private Tokens signIn(AuthorizationRequest request) {
        Tokens tokens = town.redeem(open(request));
        assertEquals("eidas1", tokens.acr());
        return tokens;
    }

    private HttpResponse<String> open(AuthorizationRequest request) {
        return town.open(browser, PERSON, request);
    }

    private HttpResponse<String> submit(HttpResponse<String> form) {
        return browser.givePassword(form, PERSON);
    }

    private Tokens implicit(AuthorizationRequest request) {
        return idToken(location(request.with("response_type", "id_token")));
    }

    private String hybrid(AuthorizationRequest request) {
        return location(request.with("response_type", "code id_token"));
    }

    private String location(AuthorizationRequest request) {
        return open(request).headers().firstValue("Location").orElseThrow();
    }

    private static Tokens idToken(String location) {
        return new Tokens(
                null, null, ServiceProvider.answer(location).getIDToken().serialize());
    }

    private void withImplicitFlow(Runnable test) {
        AdminApi admin = federation.admin();
        String path = admin.client("sp-town");
        admin.update(path, client -> client.put("implicitFlowEnabled", true));
        try {
            test.run();
        } finally {
            admin.update(path, client -> client.put("implicitFlowEnabled", false));
        }
    }
}
