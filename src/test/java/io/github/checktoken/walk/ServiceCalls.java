package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.realm.WalkRealm;

/** What service providers do with the tokens that they keep: refresh, ask for userinfo and for permissions. */
final class ServiceCalls implements Companion {

    private static final int FEWEST = 4;
    private static final int MOST = 12;

    private final Walk walk;
    private final List<Call> calls = new ArrayList<>();
    private List<CompletableFuture<HttpResponse<String>>> due = List.of();
    private List<HttpResponse<String>> responses = List.of();

    /** @param refreshed the tokens that are refreshed; null for another call */
    private record Call(IssuedTokens.Held refreshed, Supplier<HttpResponse<String>> send) {}

    ServiceCalls(Walk walk) {
        this.walk = walk;
        int number = FEWEST + walk.number(MOST - FEWEST + 1);
        for (int i = 0; i < number; i++) {
            IssuedTokens.Held held = walk.pick(walk.answers().tokens());
            calls.add(
                    switch (walk.number(3)) {
                        case 0 -> new Call(held, () -> walk.answers().refresh(held));
                        case 1 -> new Call(null, () -> permission(held));
                        default -> new Call(null, () -> userInfo(held));
                    });
        }
        walk.say(number + " calls of service providers at once");
    }

    private HttpResponse<String> userInfo(IssuedTokens.Held held) {
        return Http.send(Http.request(walk.realm().url() + "/protocol/openid-connect/userinfo")
                .header("Authorization", "Bearer " + held.tokens().accessToken()));
    }

    /** User-Managed Access 2.0. */
    private HttpResponse<String> permission(IssuedTokens.Held held) {
        return Http.send(Http.form(
                        walk.realm().url() + "/protocol/openid-connect/token",
                        Map.of(
                                "grant_type",
                                "urn:ietf:params:oauth:grant-type:uma-ticket",
                                "audience",
                                WalkRealm.DOCUMENTS,
                                "permission",
                                WalkRealm.DOCUMENT))
                .header("Authorization", "Bearer " + held.tokens().accessToken()));
    }

    @Override
    public void begin() {
        due = calls.stream().map(call -> WalkBrowser.later(call.send())).toList();
    }

    @Override
    public void await() {
        responses = due.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void judge(IssuedCode session) {
        for (int i = 0; i < responses.size(); i++) {
            walk.grants().checkService(responses.get(i));
            IssuedTokens.Held refreshed = calls.get(i).refreshed();
            if (refreshed != null) {
                walk.answers().read(refreshed.issue(), "a refresh token", responses.get(i));
            }
        }
    }
}
