package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.walk.browser.Request;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.Grant;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Oracle;
import io.github.checktoken.walk.realm.WalkRealm;

/** The codes and tokens that the clients got in one walk, and how they use them. */
final class IssuedTokens {

    /** In percent of the codes. */
    private static final int REDEEMED_AT_ONCE = 88;

    /** For a login that ended with a page of Keycloak and not at a client. */
    private static final Request NO_REQUEST = new Request(0, "", false);

    private final Walk walk;
    private final WalkBrowser browser;
    private final Oracle oracle;
    private final AnswerCheck check;
    private final NavigableSet<Integer> answered = new TreeSet<>();
    private final List<Code> codes = new ArrayList<>();
    private final List<Held> tokens = new ArrayList<>();
    private int issued;

    /** A code that has not been redeemed yet. */
    private record Code(String value, IssuedCode issue) {}

    /** Tokens that a client keeps. */
    record Held(Tokens tokens, IssuedCode issue) {}

    IssuedTokens(Walk walk, WalkBrowser browser, Oracle oracle) {
        this.walk = walk;
        this.browser = browser;
        this.oracle = oracle;
        this.check = new AnswerCheck(walk, oracle);
    }

    /** @return how many logins ended at a client with an answer */
    int issued() {
        return issued;
    }

    AnswerCheck check() {
        return check;
    }

    boolean hasCodes() {
        return !codes.isEmpty();
    }

    List<Held> tokens() {
        return tokens;
    }

    Request request(String client, boolean forced) {
        Request request = new Request(walk.requests().size() + 1, client, forced);
        walk.requests().put(request.state(), request);
        return request;
    }

    /** A session begins and ends with its cookie, even if no client gets a code. */
    void noteSession(String url, HttpResponse<String> response, String location) {
        if (!walk.isOfTheRealm(url)) {
            return;
        }
        for (String cookie : response.headers().allValues("Set-Cookie")) {
            if (cookie.startsWith("KEYCLOAK_IDENTITY=")) {
                if (cookie.contains("Max-Age=0")) {
                    oracle.cookieRemoved();
                } else if (location == null || !location.startsWith(WalkRealm.CALLBACK)) {
                    oracle.issued(NO_REQUEST, walk.loginOf(url));
                }
            }
        }
    }

    /** Reads the answer in a redirect to a client. The front channel may bring tokens too. */
    void land(Login login, String location) {
        Request request = walk.requests().get(Walk.parameter(location, "state"));
        String code = Walk.parameter(location, "code");
        String idToken = Walk.parameter(location, "id_token");
        String accessToken = Walk.parameter(location, "access_token");
        if (request == null || (code == null && idToken == null && accessToken == null)) {
            walk.say("    is back at the client: " + Walk.parameter(location, "error"));
            return;
        }
        issued++;
        IssuedCode issue = oracle.issued(mayAnswerALaterOne(request) ? request.orALaterOne() : request, login);
        answered.add(request.number());
        walk.say("    is back at " + request.client() + (code == null ? "" : " with a code"));
        if (idToken != null) {
            judge(issue, "the front channel's ID token", Tokens.claims(idToken));
        }
        if (accessToken != null) {
            judge(issue, "the front channel's access token", Tokens.claims(accessToken));
        }
        if (code != null) {
            codes.add(new Code(code, issue));
            if (walk.chance(REDEEMED_AT_ONCE)) {
                checkRedeemed(code, issue, redeem(codes.size() - 1));
            }
        }
    }

    /**
     * Whether a request, or in Keycloak 26.5 a later one, has been answered already. That version takes the state of a
     * login that it restarts from an address of the pages ({@code client_data}).
     */
    private boolean mayAnswerALaterOne(Request request) {
        return System.getProperty("keycloak.version").startsWith("26.5.")
                ? answered.ceiling(request.number()) != null
                : answered.contains(request.number());
    }

    void redeemOne() {
        redeem(walk.number(codes.size()));
    }

    private HttpResponse<String> redeem(int index) {
        Code code = codes.remove(index);
        HttpResponse<String> response = post(code.issue(), codeGrant(code.value()));
        read(code.issue(), "a code", response);
        return response;
    }

    /** Redeems codes of logins that ended at the same time. */
    void redeemAtOnce(List<Map.Entry<IssuedCode, String>> ended) {
        List<CompletableFuture<HttpResponse<String>>> responses = ended.stream()
                .map(code -> WalkBrowser.later(() -> post(code.getKey(), codeGrant(code.getValue()))))
                .toList();
        for (int i = 0; i < ended.size(); i++) {
            issued++;
            HttpResponse<String> response = responses.get(i).join();
            read(ended.get(i).getKey(), "a code", response);
            checkRedeemed(ended.get(i).getValue(), ended.get(i).getKey(), response);
        }
    }

    /** The code names its session, of which a revocation at the same moment may have ended the client's part. */
    private void checkRedeemed(String code, IssuedCode issue, HttpResponse<String> response) {
        LiveSession session = LiveSession.of(browser);
        boolean redeemed = response.statusCode() == 200;
        boolean lives = session != null
                && code.contains("." + session.id() + ".")
                && session.livesFor(walk.realm(), issue.request().client());
        if (redeemed || lives) {
            walk.grants().check(Grant.CODE_IS_REDEEMED, redeemed, response.statusCode() + " " + Walk.errorOf(response));
        }
    }

    private static Map<String, String> codeGrant(String code) {
        return Map.of("grant_type", "authorization_code", "code", code, "redirect_uri", WalkRealm.CALLBACK);
    }

    void refreshOne() {
        Held held = walk.pick(tokens);
        read(held.issue(), "a refresh token", refresh(held));
    }

    HttpResponse<String> refresh(Held held) {
        return post(held.issue(), refreshGrant(held));
    }

    private static Map<String, String> refreshGrant(Held held) {
        return Map.of(
                "grant_type", "refresh_token", "refresh_token", held.tokens().refreshToken());
    }

    /** Uses one refresh token twice at the same time. */
    void refreshTwiceAtOnce() {
        Held held = walk.pick(tokens);
        CompletableFuture<HttpResponse<String>> other = CompletableFuture.supplyAsync(() -> refresh(held));
        HttpResponse<String> response = refresh(held);
        read(held.issue(), "a refresh token", response);
        read(held.issue(), "a refresh token", other.join());
    }

    /** Exchanges an access token for another one of the same client (RFC 8693). */
    void exchange() {
        Held held = walk.pick(tokens);
        HttpResponse<String> response = post(
                held.issue(),
                Map.of(
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token",
                        held.tokens().accessToken(),
                        "subject_token_type",
                        "urn:ietf:params:oauth:token-type:access_token"));
        if (response.statusCode() == 200) {
            Tokens answer = Tokens.of(Http.json(response));
            judge(held.issue(), "an exchanged token", Tokens.claims(answer.accessToken()));
        } else {
            walk.say("    " + response.statusCode());
        }
    }

    void logOut() {
        Held held = walk.pick(tokens);
        Map<String, String> query = new LinkedHashMap<>();
        if (walk.chance(70)) {
            query.put("id_token_hint", held.tokens().idToken());
            query.put("post_logout_redirect_uri", WalkRealm.CALLBACK);
            query.put("state", "logout");
        }
        walk.say("logs out");
        walk.open(walk.realm().url() + "/protocol/openid-connect/logout?" + Http.encode(query));
    }

    private HttpResponse<String> post(IssuedCode issue, Map<String, String> parameters) {
        return walk.realm().client(issue.request().client()).post("/protocol/openid-connect/token", parameters);
    }

    /** Reads the answer of the token endpoint. */
    void read(IssuedCode issue, String what, HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            walk.say("    redeems " + what + ": " + response.statusCode());
            return;
        }
        Tokens answer = Tokens.of(Http.json(response));
        if (answer.idToken() != null && judge(issue, what, Tokens.claims(answer.idToken()))) {
            tokens.add(new Held(answer, issue));
        }
    }

    /** @return whether the client accepts the token */
    private boolean judge(IssuedCode issue, String what, JsonNode claims) {
        if (claims.has("nonce") && !isOf(issue, claims.path("nonce").asText())) {
            walk.say("    redeems " + what + ", and refuses the ID token: it answers another request");
            return false;
        }
        check.judge(issue, what, claims);
        return true;
    }

    /** Checks the nonce, as each client must (OpenID Connect Core section 3.1.3.7), and notes whose nonce it is. */
    private boolean isOf(IssuedCode issue, String nonce) {
        Request seeming = issue.request();
        walk.requests().values().stream()
                .filter(request -> request.nonce().equals(nonce))
                .forEach(issue::answers);
        return seeming.nonce().equals(nonce);
    }
}
