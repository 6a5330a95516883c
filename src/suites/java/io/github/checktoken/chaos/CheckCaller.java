package io.github.checktoken.chaos;

import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

import io.github.checktoken.support.client.Http;

/** Data providers that ask about tokens of everybody, about unknown tokens, and sometimes with a wrong secret. */
final class CheckCaller implements Runnable {

    /** Far fewer than those that start a lock. */
    private static final int WRONG_SECRETS = 3;

    private final Random random;
    private final Supplier<List<Provider>> providers;
    private final Sessions sessions;
    private final Judge judge;

    CheckCaller(Random random, Supplier<List<Provider>> providers, Sessions sessions, Judge judge) {
        this.random = random;
        this.providers = providers;
        this.sessions = sessions;
        this.judge = judge;
    }

    @Override
    public void run() {
        List<Provider> all = providers.get();
        // Half of the calls are those of the newest data provider of a host of keys.
        Provider provider = all.get(random.nextBoolean() ? all.size() - 1 : random.nextInt(all.size()));
        int kind = random.nextInt(20);
        if (kind == 0) {
            wrongSecret(provider);
        } else if (kind < 3) {
            Judge.Call call = call("unknown token", provider, Set.of());
            judge.token(call, null, provider.client().post("unknown-" + random.nextInt()));
        } else {
            SignedIn signedIn = sessions.any(random);
            boolean ofTheDirectory = signedIn.person().needs().contains(Neighbour.DIRECTORY);
            Judge.Call call = call(
                    ofTheDirectory ? "directory" : "database",
                    provider,
                    ofTheDirectory ? Set.of(Neighbour.DIRECTORY) : Set.of());
            judge.token(call, signedIn, provider.client().post(signedIn.tokens().accessToken()));
        }
    }

    private void wrongSecret(Provider provider) {
        Judge.Call call = call("wrong secret", provider, Set.of());
        HttpResponse<String> response = Http.send(Http.form(
                provider.client().url(),
                Map.of(
                        "client_id",
                        provider.client().clientId(),
                        "client_secret",
                        "wrong-secret-" + random.nextInt(WRONG_SECRETS),
                        "token",
                        "any")));
        judge.refusal(call, response);
    }

    private static Judge.Call call(String what, Provider provider, Set<Neighbour> ofThePerson) {
        Set<Neighbour> needs = EnumSet.copyOf(provider.needs());
        needs.addAll(ofThePerson);
        return new Judge.Call(what, provider, needs, System.nanoTime());
    }
}
