package io.github.checktoken.demo.pages.town;

import java.util.LinkedHashMap;
import java.util.Map;

import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;

/** The sign-ins that a visitor has begun and not ended: one in each tab. Each can be ended once. */
public final class PendingSignIns {

    private static final int MOST = 10;

    private final Map<State, Pending> byState = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<State, Pending> eldest) {
            return size() > MOST;
        }
    };

    /** What the answer has to fit. */
    record Pending(Nonce nonce, CodeVerifier verifier, SignInChoice choice) {}

    synchronized void add(State state, Pending pending) {
        byState.put(state, pending);
    }

    /** @return null if this visitor has not begun such a sign-in, or has already ended it */
    synchronized Pending take(State state) {
        return state == null ? null : byState.remove(state);
    }
}
