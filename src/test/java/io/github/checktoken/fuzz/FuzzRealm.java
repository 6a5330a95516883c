package io.github.checktoken.fuzz;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.realm.RealmKeys;
import io.github.checktoken.support.server.KeycloakServer;

/** A realm with one person, one service provider and one data provider. The tests know its private signing key. */
final class FuzzRealm {

    static final String SERVICE_PROVIDER = "sp-fuzz";
    static final String DATA_PROVIDER = "dp-fuzz";

    /** The person's family name. Only an answer about a valid token may contain it, and that answer is encrypted. */
    static final String FAMILY_NAME = "Quenouille-Fuzz";

    private static final String SECRET = "fuzz-demo-secret";
    private static final String PASSWORD = "fuzz-demo-password";
    /** In seconds. */
    private static final int TEN_HOURS = 36_000;

    private static final int PRIORITY = 1_000;

    private final KeycloakServer server;
    private final String name = "fuzz-" + UUID.randomUUID();
    private final AdminApi admin;
    private final RSAKey signingKey;
    private final RSAKey encryptionKey = newKey();
    private final Tokens tokens;

    FuzzRealm(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, name);
        new AdminApi(server, "")
                .create(
                        "",
                        GivenKey.REALM.addTo(Map.of(
                                "realm",
                                name,
                                "enabled",
                                true,
                                "accessTokenLifespan",
                                TEN_HOURS,
                                "ssoSessionIdleTimeout",
                                TEN_HOURS,
                                "ssoSessionMaxLifespan",
                                TEN_HOURS,
                                "passwordPolicy",
                                "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)",
                                "users",
                                List.of(person()),
                                "clients",
                                List.of(serviceProvider(), dataProvider()))));
        RealmKeys keys = new RealmKeys(admin);
        this.signingKey = keys.addKnown(PRIORITY);
        keys.add("ES256");
        this.tokens = signIn();
    }

    AdminApi admin() {
        return admin;
    }

    String url() {
        return server.realmUrl(name).toString();
    }

    String path() {
        return server.realmUrl(name).getPath();
    }

    /** @return the realm's key, with the {@code kid} that the realm gave it */
    RSAKey signingKey() {
        return signingKey;
    }

    /** @return valid tokens of the person */
    Tokens tokens() {
        return tokens;
    }

    DataProviderClient dataProviderClient() {
        return new DataProviderClient(url(), DATA_PROVIDER, SECRET, encryptionKey);
    }

    String secret() {
        return SECRET;
    }

    private Tokens signIn() {
        return new ServiceProvider(server, name, SERVICE_PROVIDER, SECRET, "")
                .token(Map.of("grant_type", "password", "username", "person", "password", PASSWORD, "scope", "openid"));
    }

    private static Map<String, Object> person() {
        return Map.of(
                "username",
                "person",
                "enabled",
                true,
                "firstName",
                "Marie",
                "lastName",
                FAMILY_NAME,
                "email",
                "person@example.org",
                "credentials",
                List.of(Map.of("type", "password", "value", PASSWORD)));
    }

    private static Map<String, Object> serviceProvider() {
        return Map.of(
                "clientId",
                SERVICE_PROVIDER,
                "secret",
                SECRET,
                "directAccessGrantsEnabled",
                true,
                "serviceAccountsEnabled",
                true,
                "protocolMappers",
                List.of(NewDataProvider.mapperJson("amr", "oidc-requested-amr-mapper", Map.of())));
    }

    private Map<String, Object> dataProvider() {
        return Map.of(
                "clientId",
                DATA_PROVIDER,
                "secret",
                SECRET,
                "defaultClientScopes",
                List.of(),
                "attributes",
                Map.of(
                        "use.jwks.string",
                        "true",
                        "jwks.string",
                        new JWKSet(encryptionKey.toPublicJWK()).toString(),
                        "introspection.signed.response.alg",
                        "ES256"),
                "protocolMappers",
                List.of(
                        NewDataProvider.mapperJson("Data provider", "oidc-data-provider-mapper", Map.of()),
                        NewDataProvider.mapperJson(
                                "family_name",
                                "oidc-usermodel-attribute-mapper",
                                Map.of(
                                        "user.attribute",
                                        "lastName",
                                        "claim.name",
                                        "family_name",
                                        "introspection.token.claim",
                                        "true"))));
    }

    private static RSAKey newKey() {
        try {
            return new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
