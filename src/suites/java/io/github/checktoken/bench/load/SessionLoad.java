package io.github.checktoken.bench.load;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * People who sign in with a password and sign out again, and people whose sessions last. All ask for {@code amr}. Each
 * kind goes on at a constant rate, and every answer is checked in full.
 */
public final class SessionLoad {

    /** With this rate, a lasting session reaches the most notes that it may have in less than a minute. */
    private static final int LASTING_SESSIONS = 20;

    private static final int RENEWALS_PER_SECOND = 10;
    private static final int LOGINS_PER_SECOND = 2;

    private final KeycloakServer keycloak;
    private final ServiceProvider serviceProvider;
    private final DataProviderClient dataProvider;
    private final List<LastingSession> lasting;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger logins = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();

    public SessionLoad(KeycloakServer keycloak, BenchRealm realm, DataProviderClient dataProvider) {
        this.keycloak = keycloak;
        this.serviceProvider = realm.serviceProvider(BenchRealm.ASKING_FOR_AMR);
        this.dataProvider = dataProvider;
        this.lasting = IntStream.range(0, LASTING_SESSIONS)
                .mapToObj(i -> new LastingSession(keycloak, serviceProvider, BenchRealm.person(i)))
                .toList();
    }

    /** Runs while other work is done. After it, no call is under way. */
    public <T> T during(Callable<T> work) throws Exception {
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
        try {
            repeat(threads, LOGINS_PER_SECOND, logins, this::signInAndOut);
            repeat(
                    threads,
                    RENEWALS_PER_SECOND,
                    renewals,
                    number -> lasting.get(number % LASTING_SESSIONS).renew());
            return work.call();
        } finally {
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    /** @return the newest access token of each lasting session */
    public List<String> accessTokens() {
        return lasting.stream().map(LastingSession::accessToken).toList();
    }

    /** @return the number of logins so far, each with its logout */
    public int logins() {
        return logins.get();
    }

    /** @return how often the tokens of a lasting session have been renewed so far */
    public int renewals() {
        return renewals.get();
    }

    /** @return what has failed so far */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    private interface NumberedStep {
        void run(int number);
    }

    private void repeat(ScheduledExecutorService threads, int perSecond, AtomicInteger done, NumberedStep step) {
        Runnable task = () -> {
            try {
                step.run(done.get());
            } catch (AssertionError | RuntimeException e) {
                failures.add(e.toString());
            }
            done.incrementAndGet();
        };
        threads.scheduleAtFixedRate(task, 0, TimeUnit.SECONDS.toNanos(1) / perSecond, TimeUnit.NANOSECONDS);
    }

    private void signInAndOut(int number) {
        Tokens tokens =
                serviceProvider.signIn(new Browser(keycloak), BenchRealm.person(number), request(serviceProvider));
        mustHaveAmr(tokens);
        mustBeActive(tokens, true);
        serviceProvider.logOut(tokens);
        mustBeActive(tokens, false);
    }

    private void mustBeActive(Tokens tokens, boolean active) {
        if (dataProvider.check(tokens.accessToken()).active() != active) {
            throw new AssertionError(active ? "The token of a login is not active" : "A token is active after logout");
        }
    }

    static void mustHaveAmr(Tokens tokens) {
        if (tokens.amr() == null || !tokens.amr().contains("pwd")) {
            throw new AssertionError("amr is " + tokens.amr());
        }
    }

    static AuthorizationRequest request(ServiceProvider serviceProvider) {
        return serviceProvider
                .request()
                .with("scope", BenchRealm.SCOPES)
                .without("acr_values")
                .askingForAmr();
    }
}
