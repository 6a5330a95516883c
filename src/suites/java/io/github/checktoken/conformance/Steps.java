package io.github.checktoken.conformance;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.Waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What happens in a module, as {@code conformance-modules.txt} names it, and how the answers are judged. */
record Steps(TestInstance test) {

    /** Keycloak reads the keys of a client again after this time at the earliest. */
    private static final int SECONDS_BETWEEN_READS = 10;

    void run() {
        DynamicSteps dynamic = new DynamicSteps(test);
        RequestObjectSteps requestObject = new RequestObjectSteps(test);
        String argument = test.module().argument();
        switch (test.module().step()) {
            case "login" -> test.logIn();
            case "login with an ID token without" -> idTokenWithout(test.logIn(), argument);
            case "login by POST" -> logInByPost();
            case "login with claims" -> logInWithClaims(test.register(), argument);
            case "login with claims only at UserInfo" ->
                idTokenWithout(logInWithClaims(test.register(), argument), argument);
            case "login with reordered parameters" -> logInWithClaims(new TreeMap<>(test.register()), argument);
            case "login, then without a page" -> again(false, argument);
            case "login, then another login" -> again(true, argument);
            case "login, then UserInfo by POST" -> userInfoByPost(argument.equals("body"));
            case "login, then the code again after seconds" -> codeAgain(Integer.parseInt(argument));
            case "refresh" -> refresh();
            case "refresh with a new key of the client" -> refreshWithNewKey();
            case "error page" -> refused(true, "");
            case "error page or redirect" -> refused(true, argument);
            case "error redirect" -> refused(false, argument);
            case "request object" -> requestObject.byValue(TestModule.parameters(argument));
            case "request object at the host" -> requestObject.byReference(argument.equals("RS256"));
            case "discovery" -> dynamic.discovery(TestModule.parameters(argument));
            case "not supported" -> dynamic.notSupported(argument);
            case "new key of the server" -> dynamic.newServerKey();
            case "registration" -> dynamic.register();
            case "registration error" -> dynamic.refuseRegistration();
            case "page with" -> dynamic.pageWith(argument);
            case "code with an assertion for the issuer" -> dynamic.issuerAsAudience();
            default -> throw new IllegalArgumentException(test.module().step());
        }
    }

    private void logInByPost() {
        Map<String, String> request = test.register();
        HttpResponse<String> page = test.browser().post(test.realm().address("authorization_endpoint"), request);
        test.complete(test.signIn(test.result().saw("authorization", page)), request);
    }

    /** Without an access token, the claims are in the ID token (Core 5.4). */
    private Tokens logInWithClaims(Map<String, String> request, String names) {
        Tokens tokens = test.logIn(request);
        JsonNode claims = tokens.accessToken() == null
                ? Tokens.claims(tokens.idToken())
                : new TokenRules(test, tokens).userInfo(tokens);
        boolean complete = List.of(names.split(" ")).stream().allMatch(claims::has);
        test.result().should(complete, "Core 5.4, 5.5.1: the requested claims are there");
        return tokens;
    }

    private void idTokenWithout(Tokens tokens, String names) {
        JsonNode claims = Tokens.claims(tokens.idToken());
        boolean hasMore = List.of(names.split(" ")).stream().anyMatch(claims::has);
        test.result().should(!hasMore, "Core 5.4, 5.5: the ID token has no claims that were not requested for it");
    }

    /**
     * The client sends another request.
     *
     * @param asks whether the person must be asked to sign in again
     */
    private void again(boolean asks, String changes) {
        String idToken = test.logIn().idToken();
        Waiting.untilAllIsOlderThan(1);
        Map<String, String> request = test.request(TestModule.parameters(changes.replace("{id_token}", idToken)));
        HttpResponse<String> response = test.open(request);
        assertEquals(asks, response.statusCode() == 200, "Core 3.1.2.3: the person is asked to sign in if needed");
        Tokens tokens = test.complete(asks ? test.signIn(response) : response, request);
        JsonNode first = Tokens.claims(idToken);
        JsonNode second = Tokens.claims(tokens.idToken());
        assertEquals(first.get("sub"), second.get("sub"), "Core 2: both ID tokens have the same sub");
        long before = first.path("auth_time").asLong();
        long after = second.path("auth_time").asLong();
        boolean isRight = before == 0 || after == 0 || (asks ? after > before : after == before);
        assertTrue(isRight, "Core 2: auth_time is the time of the login");
    }

    private void userInfoByPost(boolean inBody) {
        Tokens tokens = test.logIn();
        String address = test.realm().address("userinfo_endpoint");
        HttpRequest.Builder inHeader = test.userInfoRequest(tokens).POST(BodyPublishers.noBody());
        HttpRequest.Builder form = Http.form(address, Map.of("access_token", tokens.accessToken()));
        new TokenRules(test, tokens).userInfo(inBody ? form : inHeader);
    }

    private void codeAgain(int seconds) {
        Map<String, String> grant = test.codeGrant();
        Tokens tokens = test.client().tokens(grant);
        Waiting.untilAllIsOlderThan(seconds);
        mustBeInvalidGrant(test.client().requestTokens(grant));
        HttpResponse<String> userInfo = test.result().saw("userinfo", Http.send(test.userInfoRequest(tokens)));
        test.result().should(userInfo.statusCode() == 401, "RFC 6749 4.1.2: the tokens of the code are revoked");
    }

    private void mustBeInvalidGrant(HttpResponse<String> response) {
        boolean isRight = response.statusCode() == 400 && response.body().contains("\"invalid_grant\"");
        assertTrue(isRight, "RFC 6749 5.2: the grant of another client, or one that was used, is invalid_grant");
    }

    private void refresh() {
        refresh(test, test.logIn());
        TestInstance other = test.another();
        mustBeInvalidGrant(test.client().requestTokens(grant(refresh(other, other.logIn()))));
    }

    /** @return the new tokens */
    private static Tokens refresh(TestInstance test, Tokens tokens) {
        Waiting.untilAllIsOlderThan(0);
        Tokens refreshed = test.client().tokens(grant(tokens));
        JsonNode before = Tokens.claims(tokens.idToken());
        JsonNode after = Tokens.claims(refreshed.idToken());
        for (String claim : List.of("iss", "sub", "aud", "azp", "auth_time")) {
            assertEquals(before.path(claim), after.path(claim), "Core 12.2: " + claim + " stays the same");
        }
        assertTrue(after.get("iat").asLong() > before.get("iat").asLong(), "Core 12.2: iat is the time of the token");
        new TokenRules(test, refreshed).userInfo(refreshed);
        return refreshed;
    }

    private static Map<String, String> grant(Tokens tokens) {
        return Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken());
    }

    private void refreshWithNewKey() {
        Tokens tokens = test.logIn();
        RSAKey key = RegisteredClient.newKey("second");
        test.host().serve(key);
        test.client().signWith(key);
        Waiting.untilAllIsOlderThan(SECONDS_BETWEEN_READS);
        refresh(test, tokens);
    }

    /** @param errors those with which the browser may be sent to the client; empty if it must not be sent there */
    private void refused(boolean byPage, String errors) {
        Map<String, String> request = test.register();
        HttpResponse<String> response = test.open(request);
        boolean isPage = response.statusCode() >= 400;
        if (isPage || errors.isEmpty()) {
            assertTrue(isPage && byPage, "Core 3.1.2.6: the request gets an error page, or the client the error");
        } else {
            String error = test.answer(response, request).getOrDefault("error", "");
            assertTrue(List.of(errors.split(" ")).contains(error), "Core 3.1.2.6: the error says what is wrong");
        }
    }
}
