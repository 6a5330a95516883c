package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * The realm that is measured. Its client scopes, keys and user profile are those of the demo realm, and so are the scopes
 * of the access token; events are not stored. Tokens live longer than the run. Passwords are hashed with one iteration
 * of PBKDF2, so that a login is not mostly hashing.
 */
public final class BenchRealm {

    public static final String NAME = "bench";
    public static final String PASSWORD = "demo-password";
    public static final String REDIRECT_URI = "http://localhost:8999/callback";

    /** The scopes of the demo realm's access tokens. */
    public static final String SCOPES =
            "openid given_name family_name birthdate tax_household health_rights tax_income";

    /** A service provider whose people have the usual access token. */
    public static final String SERVICE_PROVIDER = "sp-town";

    /** The same, which also asks for {@code amr}. Only in a realm that uses this project. */
    public static final String ASKING_FOR_AMR = "sp-amr";

    /** Service providers whose access tokens differ from the usual one, see {@link #createOtherClients}. */
    public static final String SIGNING_WITH_ES256 = "sp-es256";

    public static final String WITH_USUAL_SCOPES = "sp-full";
    public static final String LIGHTWEIGHT = "sp-lightweight";
    public static final String OF_MANY_MAPPERS = "sp-mappers";

    /** A data provider with 20 mappers of its own. */
    public static final String WITH_MANY_MAPPERS = "dp-mappers";

    /** A service provider that has all of the numbered scopes. */
    private static final String WITH_MANY_SCOPES = "sp-scopes";

    /** In place of ours, so that both servers do the same for {@code acr}. */
    private static final String KEYCLOAKS_ACR_MAPPER = "oidc-acr-mapper";

    private static final String SECRET = "bench-demo-secret";
    private static final int PEOPLE = 100;
    private static final int LIFETIME_SECONDS = 36_000;

    private final KeycloakServer server;
    private final boolean usesChecktoken;
    private final JWK rsa;
    private final JWK ec;

    /** @param usesChecktoken without it, the realm has nothing that needs the JAR: neither data providers nor our mappers */
    public BenchRealm(KeycloakServer server, boolean usesChecktoken) throws IOException, JOSEException {
        this.server = server;
        this.usesChecktoken = usesChecktoken;
        this.rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        this.ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
        new AdminApi(server, "").create("", json());
    }

    public String url() {
        return server.realmUrl(NAME).toString();
    }

    public static String person(int number) {
        return "person-" + number % PEOPLE;
    }

    public DataProviderClient dataProvider(String clientId) {
        return new DataProviderClient(url(), clientId, SECRET, clientId.contains("ecdh") ? ec : rsa);
    }

    public ServiceProvider serviceProvider(String clientId) {
        return new ServiceProvider(server, NAME, clientId, SECRET, REDIRECT_URI);
    }

    public String secret() {
        return SECRET;
    }

    /** Starts a session with the password, and gives its access token. */
    public String accessToken(String clientId, int person, String scope) {
        return serviceProvider(clientId)
                .token(Map.of(
                        "grant_type", "password", "username", person(person), "password", PASSWORD, "scope", scope))
                .accessToken();
    }

    /** An access token with this many numbered scopes. */
    public String accessTokenWithScopes(int number) {
        return accessToken(WITH_MANY_SCOPES, 0, "openid " + String.join(" ", scopes(number)));
    }

    /** Creates as many client scopes, a service provider that has them, and a data provider for each number. */
    public void createScopes(List<Integer> numbers) {
        AdminApi admin = admin();
        int most = numbers.stream().mapToInt(Integer::intValue).max().orElseThrow();
        scopes(most)
                .forEach(scope -> admin.create(
                        "/client-scopes",
                        Map.of(
                                "name",
                                scope,
                                "protocol",
                                "openid-connect",
                                "attributes",
                                Map.of("include.in.token.scope", "true"))));
        numbers.forEach(number -> admin.create(
                "/clients", dataProviderJson("dp-scopes-" + number, "ES256", "RSA-OAEP-256", scopes(number))));
        admin.create(
                "/clients",
                serviceProviderJson(
                        WITH_MANY_SCOPES,
                        scopes(most),
                        numbers.stream().map(number -> "dp-scopes-" + number).toList()));
    }

    /** Creates data providers, each with a client of the same name for whose people the tokens are. */
    public void createDataProviders(int from, int to) {
        AdminApi admin = admin();
        for (int i = from; i < to; i++) {
            Map<String, Object> client =
                    dataProviderJson(numbered(i), "ES256", "RSA-OAEP-256", List.of("tax_income", "tax_household"));
            List<Object> mappers = new ArrayList<>((List<?>) client.get("protocolMappers"));
            mappers.add(audience(numbered(i)));
            client.put("protocolMappers", mappers);
            client.put("directAccessGrantsEnabled", true);
            client.put("defaultClientScopes", List.of("identity", "basic", "acr"));
            admin.create("/clients", client);
        }
    }

    /** The full token has the scopes that Keycloak gives a new client, and the lightweight one is of such a client. */
    public void createOtherClients() {
        List<String> usual = List.of("basic", "acr", "roles", "web-origins", "profile", "email");
        createServiceProvider(
                SIGNING_WITH_ES256,
                "dp-es256",
                Map.of("attributes", Map.of("access.token.signed.response.alg", "ES256")));
        createServiceProvider(WITH_USUAL_SCOPES, "dp-es256", Map.of("defaultClientScopes", usual));
        createServiceProvider(
                LIGHTWEIGHT,
                "dp-es256",
                Map.of(
                        "defaultClientScopes",
                        usual,
                        "attributes",
                        Map.of("client.use.lightweight.access.token.enabled", "true")));
        createServiceProvider(OF_MANY_MAPPERS, WITH_MANY_MAPPERS, Map.of());
        Map<String, Object> dataProvider =
                dataProviderJson(WITH_MANY_MAPPERS, "ES256", "RSA-OAEP-256", List.of("tax_income", "tax_household"));
        List<Object> mappers = new ArrayList<>((List<?>) dataProvider.get("protocolMappers"));
        for (int i = 0; i < 20; i++) {
            Map<String, String> config = Map.of(
                    "user.attribute", "birthdate", "claim.name", "birthdate", "introspection.token.claim", "true");
            mappers.add(NewDataProvider.mapperJson("mapper " + i, "oidc-usermodel-attribute-mapper", config));
        }
        dataProvider.put("protocolMappers", mappers);
        admin().create("/clients", dataProvider);
    }

    private void createServiceProvider(String clientId, String dataProvider, Map<String, Object> others) {
        List<String> scopes = List.of(SCOPES.replace("openid ", "").split(" "));
        Map<String, Object> client = serviceProviderJson(clientId, scopes, List.of(dataProvider));
        client.putAll(others);
        admin().create("/clients", client);
    }

    public static String numbered(int number) {
        return "dp-number-%04d".formatted(number);
    }

    public AdminApi admin() {
        return new AdminApi(server, NAME);
    }

    private static List<String> scopes(int number) {
        return IntStream.range(0, number).mapToObj("right_%03d"::formatted).toList();
    }

    private Map<String, Object> json() throws IOException {
        String text = Files.readString(Path.of(System.getProperty("realm.export"), "federation-realm.json"));
        JsonNode demo =
                Http.JSON.readTree(usesChecktoken ? text : text.replace("oidc-login-acr-mapper", KEYCLOAKS_ACR_MAPPER));
        List<JsonNode> scopes = new ArrayList<>();
        for (JsonNode scope : demo.get("clientScopes")) {
            if (usesChecktoken
                    || !List.of("amr", "identity").contains(scope.get("name").asText())) {
                scopes.add(scope);
            }
        }
        Map<String, Object> realm = new LinkedHashMap<>();
        realm.put("realm", NAME);
        realm.put("enabled", true);
        realm.put("accessTokenLifespan", LIFETIME_SECONDS);
        realm.put("ssoSessionIdleTimeout", LIFETIME_SECONDS);
        realm.put("ssoSessionMaxLifespan", LIFETIME_SECONDS);
        realm.put("passwordPolicy", "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)");
        realm.put("clientScopes", scopes);
        realm.put("components", demo.get("components"));
        realm.put(
                "users",
                IntStream.range(0, PEOPLE).mapToObj(BenchRealm::personJson).toList());
        realm.put("clients", clients());
        return realm;
    }

    private List<Map<String, Object>> clients() {
        List<String> demoScopes = List.of(SCOPES.replace("openid ", "").split(" "));
        if (!usesChecktoken) {
            return List.of(serviceProviderJson(SERVICE_PROVIDER, demoScopes, List.of()));
        }
        List<String> registered = List.of("tax_income", "tax_household");
        Map<String, Object> askingForAmr = serviceProviderJson(ASKING_FOR_AMR, demoScopes, List.of());
        askingForAmr.put("defaultClientScopes", List.of("basic", "acr", "amr"));
        return List.of(
                serviceProviderJson(SERVICE_PROVIDER, demoScopes, List.of("dp-es256", "dp-es256-ecdh", "dp-rs256")),
                askingForAmr,
                dataProviderJson("dp-es256", "ES256", "RSA-OAEP-256", registered),
                dataProviderJson("dp-es256-ecdh", "ES256", "ECDH-ES", registered),
                dataProviderJson("dp-rs256", "RS256", "RSA-OAEP-256", registered));
    }

    private static Map<String, Object> serviceProviderJson(
            String clientId, List<String> scopes, List<String> dataProviders) {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("clientId", clientId);
        client.put("secret", SECRET);
        client.put("directAccessGrantsEnabled", true);
        client.put("fullScopeAllowed", false);
        client.put("redirectUris", List.of(REDIRECT_URI));
        client.put("defaultClientScopes", List.of("basic", "acr"));
        client.put("optionalClientScopes", scopes);
        client.put(
                "protocolMappers",
                dataProviders.stream().map(BenchRealm::audience).toList());
        return client;
    }

    private Map<String, Object> dataProviderJson(
            String clientId, String signature, String encryption, List<String> scopes) {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("clientId", clientId);
        client.put("secret", SECRET);
        client.put("standardFlowEnabled", false);
        client.put("fullScopeAllowed", false);
        client.put(
                "attributes",
                Map.of(
                        "use.jwks.string",
                        "true",
                        "jwks.string",
                        new JWKSet((clientId.contains("ecdh") ? ec : rsa).toPublicJWK()).toString()));
        client.put("defaultClientScopes", List.of("identity"));
        client.put("optionalClientScopes", scopes);
        client.put(
                "protocolMappers",
                List.of(NewDataProvider.mapperJson(
                        "Data provider",
                        "oidc-data-provider-mapper",
                        Map.of(
                                "introspection.signed.response.alg",
                                signature,
                                "introspection.encrypted.response.alg",
                                encryption))));
        return client;
    }

    /** Keycloak's own introspection answers a client only about tokens that name it in {@code aud}. */
    private static Map<String, Object> audience(String clientId) {
        return NewDataProvider.mapperJson(
                "audience " + clientId,
                "oidc-audience-mapper",
                Map.of("included.custom.audience", clientId, "access.token.claim", "true"));
    }

    private static Map<String, Object> personJson(int number) {
        return Map.of(
                "username",
                person(number),
                "enabled",
                true,
                "firstName",
                "Camille Louise Marie",
                "lastName",
                "Moreau",
                "email",
                person(number) + "@example.org",
                "emailVerified",
                true,
                "credentials",
                List.of(StoredSecret.credential("password", PASSWORD)),
                "attributes",
                Map.of(
                        "gender", List.of("female"),
                        "birthdate", List.of("1988-03-14"),
                        "birthplace", List.of("75107"),
                        "birthcountry", List.of("99100")));
    }
}
