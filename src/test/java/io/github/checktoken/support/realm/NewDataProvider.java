package io.github.checktoken.support.realm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.github.checktoken.support.client.AnswerMembers;
import io.github.checktoken.support.client.DataProviderClient;

/**
 * A data provider for one test, registered as client JSON like an administrator's. Unless the test changes it, it has
 * the mapper's default settings, the client scope {@code identity}, no optional scope, and an inline key.
 */
public final class NewDataProvider {

    private final AdminApi admin;
    private final String realmUrl;
    private String secret = "secret-of-dp-" + UUID.randomUUID();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final Map<String, Object> members = new LinkedHashMap<>();
    private final List<Map<String, Object>> mappers = new ArrayList<>();
    private List<String> defaultScopes = List.of("identity");
    private List<String> optionalScopes = List.of();
    private String clientId = "dp-" + UUID.randomUUID();
    private JWK privateKey;
    private boolean ownMapper = true;

    public NewDataProvider(AdminApi admin, String realmUrl, JWK privateKey) {
        this.admin = admin;
        this.realmUrl = realmUrl;
        key(privateKey);
    }

    /** Must come before {@link #telling} and {@link #mapper}, which allow members for a client_id. */
    public NewDataProvider named(String name) {
        clientId = name;
        return this;
    }

    /** @param algorithm JWS {@code alg} of the answers */
    public NewDataProvider signedWith(String algorithm) {
        return setting("introspection.signed.response.alg", algorithm);
    }

    /** @param algorithm JWE {@code alg} of the answers */
    public NewDataProvider encryptedWith(String algorithm) {
        return setting("introspection.encrypted.response.alg", algorithm);
    }

    /**
     * @param algorithm JWE {@code alg} of the answers
     * @param contentAlgorithm JWE {@code enc} of the answers
     */
    public NewDataProvider encryptedWith(String algorithm, String contentAlgorithm) {
        return encryptedWith(algorithm).setting("introspection.encrypted.response.enc", contentAlgorithm);
    }

    /** Sets any setting of the Data provider mapper. Keycloak saves it unchecked, as part of the client's JSON. */
    public NewDataProvider setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** Decrypts with this key and registers its public key inline. */
    public NewDataProvider key(JWK key) {
        return decryptingWith(key).jwks(new JWKSet(key.toPublicJWK()).toString());
    }

    /** Decrypts with this key, even if another one is registered. */
    public NewDataProvider decryptingWith(JWK key) {
        privateKey = key;
        return this;
    }

    /** Registers this text as the inline JWK Set. */
    public NewDataProvider jwks(String json) {
        attributes.clear();
        attributes.put("use.jwks.string", "true");
        attributes.put("jwks.string", json);
        return this;
    }

    /** Registers the address of a JWK Set. */
    public NewDataProvider jwksUrl(String url) {
        attributes.clear();
        attributes.put("use.jwks.url", "true");
        attributes.put("jwks.url", url);
        return this;
    }

    public NewDataProvider defaultScopes(String... names) {
        defaultScopes = List.of(names);
        return this;
    }

    /** Sets the registered scopes. */
    public NewDataProvider optionalScopes(String... names) {
        optionalScopes = List.of(names);
        return this;
    }

    /** Adds an attribute of the client. Must come after the keys, which replace all attributes. */
    public NewDataProvider attribute(String name, String value) {
        attributes.put(name, value);
        return this;
    }

    /** Sets any other member of the client's JSON. */
    public NewDataProvider with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    /** Allows further members in its answers, which its mappers or client scopes add to the usual identity data. */
    public NewDataProvider telling(String... members) {
        List.of(members).forEach(member -> AnswerMembers.allow(clientId, member));
        return this;
    }

    /** Adds a protocol mapper to the client itself. */
    public NewDataProvider mapper(String provider, Map<String, String> config) {
        telling(config.getOrDefault("claim.name", ""));
        mappers.add(mapperJson(provider + " " + mappers.size(), provider, config));
        return this;
    }

    public NewDataProvider secret(String value) {
        secret = value;
        return this;
    }

    /** Leaves the Data provider mapper to a client scope. */
    public NewDataProvider withoutOwnMapper() {
        ownMapper = false;
        return this;
    }

    /** Creates the client in the realm. */
    public DataProviderClient create() {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("clientId", clientId);
        client.put("secret", secret);
        client.put("standardFlowEnabled", false);
        client.put("attributes", attributes);
        client.put("defaultClientScopes", defaultScopes);
        client.put("optionalClientScopes", optionalScopes);
        List<Map<String, Object>> all = new ArrayList<>(mappers);
        if (ownMapper) {
            all.add(mapperJson("Data provider", "oidc-data-provider-mapper", settings));
        }
        client.put("protocolMappers", all);
        client.putAll(members);
        admin.create("/clients", client);
        return new DataProviderClient(realmUrl, clientId, secret, privateKey);
    }

    /** @return a protocol mapper in the format of the admin API */
    public static Map<String, Object> mapperJson(String name, String provider, Map<String, String> config) {
        return Map.of("name", name, "protocol", "openid-connect", "protocolMapper", provider, "config", config);
    }
}
