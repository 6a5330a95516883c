package io.github.checktoken.conformance;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.util.MultivaluedMapUtils;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.Tokens;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One run of a module: a client that registers itself, the client's host, and a person's browser. */
record TestInstance(
        ConformanceRealm realm,
        TestPlan plan,
        TestModule module,
        TestResult result,
        JwksServer host,
        RegisteredClient client,
        Browser browser) {

    /** The code verifier of RFC 7636, appendix B. */
    private static final String CODE_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    static TestInstance of(
            ConformanceRealm realm, TestPlan plan, TestModule module, TestResult result, JwksServer host) {
        RegisteredClient client = new RegisteredClient(realm, plan, result, module.client(host.url()));
        return new TestInstance(realm, plan, module, result, host, client, new Browser(realm.server()));
    }

    /** @return a second client and a second browser, whose answers are part of the same result */
    TestInstance another() {
        return of(realm, plan, module, result, host);
    }

    /** Registers the client. @return the parameters of the module's authorization request */
    Map<String, String> register() {
        client.register();
        return request(module.request());
    }

    /** @param changes of the authorization request; an empty value leaves a parameter out */
    Map<String, String> request(Map<String, String> changes) {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("client_id", client.information().getID().getValue());
        request.put(
                "redirect_uri",
                client.information().getMetadata().getRedirectionURI().toString());
        request.put("scope", "openid");
        request.put("state", UUID.randomUUID().toString());
        request.put("nonce", UUID.randomUUID().toString());
        request.put("response_type", plan.responseType());
        request.putAll(changes);
        request.values().removeIf(String::isEmpty);
        return request;
    }

    HttpResponse<String> open(Map<String, String> request) {
        String address = realm.address("authorization_endpoint") + "?" + Http.encode(request);
        return result.saw("authorization", browser.get(address));
    }

    HttpResponse<String> signIn(HttpResponse<String> page) {
        assertEquals(200, page.statusCode(), "Core 3.1.2.3: the server asks the person to sign in");
        return result.saw("login", browser.givePassword(page, "person"));
    }

    /** @return the tokens that the client got last */
    Tokens logIn() {
        return logIn(register());
    }

    Tokens logIn(Map<String, String> request) {
        return complete(signIn(open(request)), request);
    }

    /** Does what the client does when the browser brings the answer. */
    Tokens complete(HttpResponse<String> response, Map<String, String> request) {
        Map<String, String> answer = answer(response, request);
        assertEquals(plan.has("code"), answer.containsKey("code"), "Core 3.3.2.5: the answer has a code if asked for");
        assertEquals(plan.has("token"), answer.containsKey("access_token"), "Core 3.3.2.5: and so an access token");
        Tokens front = Tokens.of(Http.JSON.valueToTree(answer));
        Tokens last = plan.has("code") ? client.tokens(grant(answer, request)) : front;
        TokenRules rules = new TokenRules(this, last);
        for (Tokens tokens : front == last ? List.of(last) : List.of(front, last)) {
            if (tokens.idToken() != null) {
                rules.judgeIdToken(tokens, request, answer.get("code"), tokens == front);
            }
            if (tokens.accessToken() != null) {
                rules.userInfo(tokens);
            }
        }
        return last;
    }

    /** Registers and signs in. @return the parameters with which the client exchanges the code */
    Map<String, String> codeGrant() {
        Map<String, String> request = register();
        return grant(answer(signIn(open(request)), request), request);
    }

    private static Map<String, String> grant(Map<String, String> answer, Map<String, String> request) {
        Map<String, String> grant = new HashMap<>();
        grant.put("grant_type", "authorization_code");
        grant.put("code", answer.get("code"));
        grant.put("redirect_uri", request.get("redirect_uri"));
        if (request.containsKey("code_challenge")) {
            grant.put("code_verifier", CODE_VERIFIER);
        }
        return grant;
    }

    /** Reads the parameters that the browser brings to the client. */
    Map<String, String> answer(HttpResponse<String> response, Map<String, String> request) {
        String location = response.headers().firstValue("Location").orElse("");
        assertTrue(location.startsWith(request.get("redirect_uri")), "Core 3.1.2.5: the client gets an answer");
        Map<String, String> answer = MultivaluedMapUtils.toSingleValuedMap(assertDoesNotThrow(
                () -> AuthorizationResponse.parseResponseParameters(URI.create(location)), "RFC 6749 4.1.2"));
        assertEquals(request.get("state"), answer.get("state"), "RFC 6749 4.1.2: the answer has the state");
        return answer;
    }

    HttpRequest.Builder userInfoRequest(Tokens tokens) {
        return Http.request(realm.address("userinfo_endpoint"))
                .header("Authorization", "Bearer " + tokens.accessToken());
    }
}
