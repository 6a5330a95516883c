package io.github.checktoken.guest.cost;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.bench.server.Jvm;
import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Person;

/**
 * Logins that begin at a constant rate: each of a new browser, with the page, the password and the code for tokens.
 *
 * @param millis how long each took, from the moment at which it should have begun
 * @param bytes what the server's threads allocated meanwhile
 */
record LoginRound(List<Double> millis, long bytes) {

    private static final int AT_ONCE = 64;
    private static final int PER_SECOND = 50;

    static LoginRound of(GuestRealm realm, List<Person> people, Jvm jvm, int logins) throws IOException {
        Map<Long, Long> before = jvm.allocatedBytes();
        List<Double> millis = run(realm, people, logins);
        long bytes = jvm.allocatedBytes().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sum();
        return new LoginRound(millis, bytes);
    }

    private static List<Double> run(GuestRealm realm, List<Person> people, int logins) {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(AT_ONCE);
        try {
            List<CompletableFuture<Double>> running = new ArrayList<>();
            long begin = System.nanoTime();
            for (int i = 0; i < logins; i++) {
                long due = begin + i * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
                Person person = people.get(i % people.size());
                CompletableFuture<Double> login = new CompletableFuture<>();
                pool.schedule(
                        () -> {
                            try {
                                realm.signIn(realm.browser(), person, "app");
                                login.complete((System.nanoTime() - due) / 1e6);
                            } catch (RuntimeException | AssertionError e) {
                                login.completeExceptionally(e);
                            }
                        },
                        due - System.nanoTime(),
                        TimeUnit.NANOSECONDS);
                running.add(login);
            }
            return running.stream().map(CompletableFuture::join).toList();
        } finally {
            pool.shutdownNow();
        }
    }

    static LoginRound sum(List<LoginRound> rounds) {
        return new LoginRound(
                rounds.stream().flatMap(round -> round.millis.stream()).toList(),
                rounds.stream().mapToLong(LoginRound::bytes).sum());
    }

    double kilobytesPerLogin() {
        return bytes / 1024.0 / millis.size();
    }

    /** @return the 99th percentile in milliseconds */
    double p99() {
        return millis.stream().sorted().toList().get(millis.size() * 99 / 100);
    }
}
