package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.realm.WalkRealm;

/** Sign-outs that come at once: of clients, of administrators, and in a hidden frame of the browser. */
final class SignOuts implements Companion {

    private static final int MOST = 3;

    /** In percent of the sign-outs. */
    private static final int IN_A_FRAME = 40;

    private final Walk walk;
    private final List<SessionEnd> ends = new ArrayList<>();
    private final List<String> frames = new ArrayList<>();
    private List<CompletableFuture<HttpResponse<String>>> dueEnds = List.of();
    private List<CompletableFuture<HttpResponse<String>>> dueFrames = List.of();

    SignOuts(Walk walk) {
        this.walk = walk;
        int number = 1 + walk.number(MOST);
        for (int i = 0; i < number; i++) {
            if (walk.chance(IN_A_FRAME)) {
                frames.add(address(walk.pick(walk.answers().tokens())));
                walk.say("a hidden frame signs out");
                walk.straight().end();
            } else {
                ends.add(new SessionEnd(walk));
            }
        }
    }

    private String address(IssuedTokens.Held held) {
        return walk.realm().url() + "/protocol/openid-connect/logout?"
                + Http.encode(Map.of(
                        "id_token_hint", held.tokens().idToken(), "post_logout_redirect_uri", WalkRealm.CALLBACK));
    }

    @Override
    public void begin() {
        dueEnds = ends.stream().map(end -> WalkBrowser.later(end::send)).toList();
        dueFrames = frames.stream().map(walk.observed().browser()::getLater).toList();
    }

    @Override
    public void await() {
        dueEnds.forEach(end -> walk.grants().checkService(end.join()));
        for (CompletableFuture<HttpResponse<String>> frame : dueFrames) {
            HttpResponse<String> response = walk.observed().browser().keep(frame.join());
            // Also of a login that was begun beside it, whose cookie for beginning anew its answer has removed.
            walk.straight().end();
            walk.grants().checkSignOut(response);
            walk.answers()
                    .noteSession(
                            walk.realm().url() + "/",
                            response,
                            response.headers().firstValue("Location").orElse(null));
        }
    }

    @Override
    public void judge(IssuedCode session) {
        // Everything is judged already: they give no tokens.
    }
}
