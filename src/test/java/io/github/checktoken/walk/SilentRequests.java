package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.checktoken.walk.browser.Request;
import io.github.checktoken.walk.oracle.Grant;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.realm.WalkRealm;

/** Requests without a page ({@code prompt=none}) that a browser sends at once, as hidden frames of several sites do. */
final class SilentRequests implements Companion {

    private static final int FEWEST = 8;
    private static final int MOST = 20;

    /** How many of the codes are redeemed, at once. The other sites have lost interest. */
    private static final int REDEEMED = 3;

    /** Other steps may be due in their flows although there is a session, or a consent. */
    private static final Set<String> WITH_FURTHER_STEPS = Set.of("step-up", "levels-and-mail", "federation", "consent");

    private final Walk walk;
    private final ObservedBrowser from;
    private final List<Sent> sent = new ArrayList<>();
    private final LiveSession session;
    private final boolean owesNothing;

    private record Sent(Request request, Login login, String url) {}

    private List<HttpResponse<String>> responses = List.of();
    private List<CompletableFuture<HttpResponse<String>>> due = List.of();

    SilentRequests(Walk walk, ObservedBrowser from) {
        this.walk = walk;
        this.from = from;
        this.session = LiveSession.of(from.browser());
        this.owesNothing = session != null && session.owesNothing(walk.realm(), walk.people());
        int number = FEWEST + walk.number(MOST - FEWEST + 1);
        for (int i = 0; i < number; i++) {
            String client = walk.habits().client(walk);
            Request request = from.answers().request(client, false);
            String url = walk.realm()
                    .client(client)
                    .request()
                    .without("acr_values")
                    .with("state", request.state())
                    .with("nonce", request.nonce())
                    .with("prompt", "none")
                    .askingForAmr()
                    .url();
            sent.add(new Sent(request, new Login(from.oracle().session()), url));
        }
        walk.say(number + " silent requests at once" + (session == null ? "" : ", with the cookie of a session"));
    }

    /** Sends them alone, and judges the answers. */
    void send() {
        IssuedCode before = from.oracle().session();
        begin();
        await();
        judge(before);
    }

    @Override
    public void begin() {
        if (session == null) {
            // Each refusal also removes the cookie with which Keycloak begins a login anew: it may have no way on then.
            walk.straight().end();
        }
        due = sent.stream().map(one -> from.browser().getLater(one.url())).toList();
    }

    @Override
    public void await() {
        responses = due.stream()
                .map(CompletableFuture::join)
                .map(from.browser()::keep)
                .toList();
        if (responses.stream().anyMatch(SilentRequests::removesIdentity)) {
            from.oracle().cookieRemoved();
        }
    }

    private static boolean removesIdentity(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .anyMatch(cookie -> cookie.startsWith("KEYCLOAK_IDENTITY=") && cookie.contains("Max-Age=0"));
    }

    @Override
    public void judge(IssuedCode before) {
        List<Map.Entry<IssuedCode, String>> codes = new ArrayList<>();
        for (int i = 0; i < responses.size(); i++) {
            Sent one = sent.get(i);
            HttpResponse<String> response = responses.get(i);
            String location = response.headers().firstValue("Location").orElse("");
            boolean redirected = location.startsWith(WalkRealm.CALLBACK);
            walk.grants().check(Grant.SILENT_REQUEST_IS_REDIRECTED, redirected, "status " + response.statusCode());
            String code = redirected ? Walk.parameter(location, "code") : null;
            checkCode(one, code, location);
            if (code != null) {
                codes.add(Map.entry(from.oracle().issuedBeside(one.request(), one.login(), before), code));
            }
        }
        walk.say("    " + codes.size() + " codes");
        from.answers().redeemAtOnce(codes.subList(0, Math.min(codes.size(), REDEEMED)));
    }

    private void checkCode(Sent one, String code, String location) {
        if (!owesNothing || WITH_FURTHER_STEPS.contains(one.request().client())) {
            return;
        }
        if (code != null) {
            walk.grants().check(Grant.LIVE_SESSION_GETS_A_CODE, true, "");
        } else if (session.lives(walk.realm()) && session.owesNothing(walk.realm(), walk.people())) {
            walk.say("    no code for " + one.request().client());
            walk.grants()
                    .check(Grant.LIVE_SESSION_GETS_A_CODE, false, String.valueOf(Walk.parameter(location, "error")));
        }
    }
}
