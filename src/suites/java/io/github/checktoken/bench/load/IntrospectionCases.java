package io.github.checktoken.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;
import io.github.checktoken.support.client.DataProviderClient;

/** The calls that are measured: checktoken and Keycloak's own introspection, for the same token and the same client. */
public final class IntrospectionCases {

    public static final String NATIVE = "Keycloak's introspection";
    public static final String RSA = "checktoken, ES256, RSA-OAEP-256";
    public static final String ECDH = "checktoken, ES256, ECDH-ES";
    private static final String RS256 = "checktoken, RS256, RSA-OAEP-256";
    public static final String NATIVE_INACTIVE = "Keycloak's introspection, unknown token";
    public static final String INACTIVE = "checktoken, ES256, RSA-OAEP-256, unknown token";

    private static final String UNKNOWN_TOKEN = "a-token-that-this-realm-has-not-issued";
    private static final List<Integer> CONNECTIONS = List.of(1, 4, 16, 64);
    private static final List<Integer> DATA_PROVIDERS = List.of(1, 10, 1_000);
    private static final List<Integer> SCOPES = List.of(1, 20, 200);
    private static final List<Integer> SESSIONS = List.of(1, 100, 10_000);
    private static final int CREATING_THREADS = 4;

    private final BenchServer server;
    private final BenchRealm realm;
    private final BenchSettings settings;
    private final LoadFiles files;
    private final DataProviderClient dataProvider;
    private final String token;
    private final List<Introspection.Call> ofSessions = new ArrayList<>();
    private final List<Introspection.Call> ofDataProviders = new ArrayList<>();

    public IntrospectionCases(BenchServer server, BenchRealm realm, BenchSettings settings, LoadFiles files) {
        this.server = server;
        this.realm = realm;
        this.settings = settings;
        this.files = files;
        this.dataProvider = realm.dataProvider("dp-es256");
        this.token = token(0);
    }

    /** The steps of all groups, in the order in which they run: what leaves sessions behind comes last. */
    public List<Step> steps() {
        return Stream.of(
                        Stream.of(new Step("main", 0, this::main)),
                        CONNECTIONS.stream().map(size -> new Step("connections", size, () -> connections(size))),
                        SCOPES.stream().map(size -> new Step("scopes", size, () -> scopes(size))),
                        DATA_PROVIDERS.stream().map(size -> new Step("providers", size, () -> dataProviders(size))),
                        SESSIONS.stream().map(size -> new Step("sessions", size, () -> sessions(size))))
                .flatMap(steps -> steps)
                .filter(step -> step.size() <= settings.largest())
                .toList();
    }

    /** The scenarios of the first group, which also warm the server up. */
    public List<Scenario> main() {
        List<Introspection.Call> unknown = List.of(new Introspection.Call(dataProvider, UNKNOWN_TOKEN));
        int connections = settings.connections();
        return List.of(
                new Introspection(NATIVE, null, server, files, true, one(dataProvider, token), true, connections),
                new Introspection(RSA, NATIVE, server, files, false, one(dataProvider, token), true, connections),
                new Introspection(
                        ECDH,
                        NATIVE,
                        server,
                        files,
                        false,
                        one(realm.dataProvider("dp-es256-ecdh"), token),
                        true,
                        connections),
                new Introspection(
                        RS256,
                        NATIVE,
                        server,
                        files,
                        false,
                        one(realm.dataProvider("dp-rs256"), token),
                        true,
                        connections),
                new Introspection(NATIVE_INACTIVE, null, server, files, true, unknown, false, connections),
                new Introspection(INACTIVE, NATIVE_INACTIVE, server, files, false, unknown, false, connections));
    }

    /** Calls of one data provider about these tokens. */
    public Scenario about(DataProviderClient caller, List<String> tokens) {
        List<Introspection.Call> calls = tokens.stream()
                .map(each -> new Introspection.Call(caller, each))
                .toList();
        return new Introspection(RSA, null, server, files, false, calls, true, settings.connections());
    }

    private List<Scenario> connections(int connections) {
        return both(one(dataProvider, token), connections);
    }

    private List<Scenario> scopes(int number) {
        if (number == SCOPES.get(0)) {
            realm.createScopes(SCOPES);
        }
        return both(
                one(realm.dataProvider("dp-scopes-" + number), realm.accessTokenWithScopes(number)),
                settings.connections());
    }

    /** Each data provider asks about a token that names it in {@code aud}, because Keycloak's introspection requires it. */
    private List<Scenario> dataProviders(int number) {
        int from = ofDataProviders.size();
        realm.createDataProviders(from, number);
        ofDataProviders.addAll(inParallel(from, number, i -> {
            String clientId = BenchRealm.numbered(i);
            return new Introspection.Call(
                    realm.dataProvider(clientId), realm.accessToken(clientId, i, "openid tax_income tax_household"));
        }));
        return both(List.copyOf(ofDataProviders), settings.connections());
    }

    private List<Scenario> sessions(int number) {
        ofSessions.addAll(inParallel(ofSessions.size(), number, i -> new Introspection.Call(dataProvider, token(i))));
        return both(List.copyOf(ofSessions), settings.connections());
    }

    private List<Scenario> both(List<Introspection.Call> calls, int connections) {
        return List.of(
                new Introspection(NATIVE, null, server, files, true, calls, true, connections),
                new Introspection(RSA, NATIVE, server, files, false, calls, true, connections));
    }

    private String token(int person) {
        return realm.accessToken(BenchRealm.SERVICE_PROVIDER, person, BenchRealm.SCOPES);
    }

    private static List<Introspection.Call> one(DataProviderClient caller, String token) {
        return List.of(new Introspection.Call(caller, token));
    }

    static <T> List<T> inParallel(int from, int to, IntFunction<T> make) {
        ExecutorService threads = Executors.newFixedThreadPool(CREATING_THREADS);
        try {
            List<Future<T>> made = new ArrayList<>();
            for (int i = from; i < to; i++) {
                int number = i;
                made.add(threads.submit(() -> make.apply(number)));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> each : made) {
                all.add(each.get());
            }
            return all;
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdown();
        }
    }
}
