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
    public static final String RS256 = "checktoken, RS256, RSA-OAEP-256";
    public static final String NATIVE_INACTIVE = "Keycloak's introspection, unknown token";
    public static final String INACTIVE = "checktoken, ES256, RSA-OAEP-256, unknown token";

    /** What the names of other tokens' cases add to {@link #NATIVE} and {@link #RSA}. */
    public static final String ES256_TOKEN = ", access token with ES256";

    public static final String LIGHTWEIGHT_TOKEN = ", lightweight token";

    private static final String UNKNOWN_TOKEN = "a-token-that-this-realm-has-not-issued";
    private static final List<Integer> DATA_PROVIDERS = List.of(1, 10, 1_000);
    private static final List<Integer> SCOPES = List.of(1, 20, 200);
    private static final List<Integer> SESSIONS = List.of(1, 100, 10_000);
    private static final int CREATING_THREADS = 4;

    private final BenchServer server;
    private final String label;
    private final BenchRealm realm;
    private final BenchSettings settings;
    private final LoadFiles files;
    private final DataProviderClient dataProvider;
    private final String token;
    private boolean hasScopes;
    private final List<Introspection.Call> ofSessions = new ArrayList<>();
    private final List<Introspection.Call> ofDataProviders = new ArrayList<>();

    /** @param label what the names of the scenarios end with */
    public IntrospectionCases(
            BenchServer server, String label, BenchRealm realm, BenchSettings settings, LoadFiles files) {
        this.server = server;
        this.label = label;
        this.realm = realm;
        this.settings = settings;
        this.files = files;
        this.dataProvider = realm.dataProvider("dp-es256");
        this.token = token(0);
    }

    public BenchServer server() {
        return server;
    }

    /** The steps that show how the cost grows, in the order in which they run: what leaves sessions behind comes last. */
    public List<Step> growth() {
        return Stream.of(
                        Stream.of(new Step("tokens", 0, this::tokens)),
                        SCOPES.stream().map(size -> new Step("scopes", size, () -> scopes(size))),
                        DATA_PROVIDERS.stream().map(size -> new Step("providers", size, () -> dataProviders(size))),
                        SESSIONS.stream().map(size -> new Step("sessions", size, () -> sessions(size))))
                .flatMap(steps -> steps)
                .toList();
    }

    /** The scenarios of the first group, which also warm the server up. */
    public List<Scenario> main() {
        List<Introspection.Call> active = one(dataProvider, token);
        List<Introspection.Call> unknown = one(dataProvider, UNKNOWN_TOKEN);
        int connections = settings.connections();
        return List.of(
                introspection(NATIVE, active, true, connections),
                introspection(RSA, active, true, connections),
                introspection(ECDH, one(realm.dataProvider("dp-es256-ecdh"), token), true, connections),
                introspection(RS256, one(realm.dataProvider("dp-rs256"), token), true, connections),
                introspection(NATIVE_INACTIVE, unknown, false, connections),
                introspection(INACTIVE, unknown, false, connections));
    }

    /** Calls of one data provider about these tokens. */
    public Scenario about(DataProviderClient caller, List<String> tokens) {
        List<Introspection.Call> calls = tokens.stream()
                .map(each -> new Introspection.Call(caller, each))
                .toList();
        return introspection(RSA, calls, true, settings.connections());
    }

    public List<Scenario> connections(int connections) {
        return both(one(dataProvider, token), connections);
    }

    private List<Scenario> scopes(int number) {
        createScopes();
        return both(
                one(realm.dataProvider("dp-scopes-" + number), realm.accessTokenWithScopes(number)),
                settings.connections());
    }

    private void createScopes() {
        if (!hasScopes) {
            realm.createScopes(SCOPES);
            hasScopes = true;
        }
    }

    /** Other tokens than the usual one, and a data provider with more mappers, each beside Keycloak's introspection. */
    private List<Scenario> tokens() {
        createScopes();
        realm.createOtherClients();
        DataProviderClient withMappers = realm.dataProvider(BenchRealm.WITH_MANY_MAPPERS);
        return Stream.of(
                        other(ES256_TOKEN, dataProvider, token(BenchRealm.SIGNING_WITH_ES256)),
                        other(", full token", dataProvider, token(BenchRealm.WITH_USUAL_SCOPES)),
                        other(LIGHTWEIGHT_TOKEN, dataProvider, token(BenchRealm.LIGHTWEIGHT)),
                        other(", 20 mappers", withMappers, token(BenchRealm.OF_MANY_MAPPERS)),
                        other(", 30 scopes", realm.dataProvider("dp-scopes-1"), realm.accessTokenWithScopes(30)))
                .flatMap(List::stream)
                .toList();
    }

    private List<Scenario> other(String kind, DataProviderClient caller, String itsToken) {
        List<Introspection.Call> calls = one(caller, itsToken);
        String ofKeycloak = NATIVE + kind + label;
        return List.of(
                new Introspection(ofKeycloak, null, server, files, true, calls, true, settings.connections()),
                new Introspection(
                        RSA + kind + label, ofKeycloak, server, files, false, calls, true, settings.connections()));
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
        return List.of(introspection(NATIVE, calls, true, connections), introspection(RSA, calls, true, connections));
    }

    private Scenario introspection(String name, List<Introspection.Call> calls, boolean active, int connections) {
        boolean isNative = name.startsWith(NATIVE);
        String baseline = isNative ? null : (active ? NATIVE : NATIVE_INACTIVE) + label;
        return new Introspection(name + label, baseline, server, files, isNative, calls, active, connections);
    }

    private String token(int person) {
        return realm.accessToken(BenchRealm.SERVICE_PROVIDER, person, BenchRealm.SCOPES);
    }

    private String token(String serviceProvider) {
        return realm.accessToken(serviceProvider, 0, BenchRealm.SCOPES);
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
