package io.github.checktoken.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.client.SourceAddressClient;

/** An address that guesses a secret until it is locked out, and then waits for the end of the lock. */
final class GuessCaller implements Runnable {

    /** How long the lock lasts. */
    static final int LOCK_SECONDS = 30;

    private static final int GUESSES = 32;
    private static final long MOST = TimeUnit.SECONDS.toNanos(LOCK_SECONDS + 3);

    /** If the clock was put back a little meanwhile: by two of the periods of {@code AttemptLimit}. */
    private static final long MOST_BY_A_WRONG_CLOCK = MOST + TimeUnit.MINUTES.toNanos(2);

    private final Provider provider;
    private final Judge judge;
    private final Report report;
    private final Outages outages;
    private int address = 10;
    private int guesses;
    private long lastGuess;

    GuessCaller(Provider provider, Judge judge, Outages outages, Report report) {
        this.provider = provider;
        this.judge = judge;
        this.outages = outages;
        this.report = report;
    }

    @Override
    public void run() {
        if (guesses < GUESSES) {
            guesses++;
            Judge.Call guess = call("guess");
            SourceAddressClient.Response response = post("guess-" + UUID.randomUUID());
            lastGuess = System.nanoTime();
            judge.refusal(guess, response.status(), response.body(), hasRetryAfter(response));
            return;
        }
        Judge.Call call = call("after guesses");
        SourceAddressClient.Response response = post(provider.client().secret());
        boolean wrongClock = !outages.causes(Set.of(Neighbour.CLOCK), lastGuess).isEmpty();
        boolean late = call.asked() - lastGuess > (wrongClock ? MOST_BY_A_WRONG_CLOCK : MOST);
        if (response.status() == 200) {
            report.outcome(call.what(), "free again", List.of());
            next();
        } else if (response.status() != 401) {
            judge.error(call, response.status(), response.body(), hasRetryAfter(response));
        } else if (late) {
            report.violation("a lock lasts too long", "broken: " + outages.recent());
            next();
        } else {
            report.outcome(call.what(), "locked", List.of());
        }
    }

    private Judge.Call call(String what) {
        return new Judge.Call(what, provider, Set.of(Neighbour.DATABASE), System.nanoTime());
    }

    private static boolean hasRetryAfter(SourceAddressClient.Response response) {
        return response.headers().contains("Retry-After: Retry");
    }

    /** The next lock is another one. */
    private void next() {
        guesses = 0;
        address = address == 250 ? 10 : address + 1;
    }

    private SourceAddressClient.Response post(String secret) {
        try (SourceAddressClient client = new SourceAddressClient("127.0.0." + address, 1)) {
            return client.post(
                    provider.client().url(),
                    Map.of("client_id", provider.client().clientId(), "client_secret", secret, "token", "any"),
                    null);
        }
    }
}
