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
 * A data provider of one test, registered as an administrator's client JSON does it. Where the test says nothing else: the
 * mapper's defaults, the client scope {@code identity}, no optional scope, and the tax office's demo key inline.
 */
public final class NewDataProvider {

    private final AdminApi admin;
    private final String realmUrl;
    private final String clientId = "dp-" + UUID.randomUUID();
    private final String secret = "secret-of-" + clientId;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final Map<String, Object> members = new LinkedHashMap<>();
    private final List<Map<String, Object>> mappers = new ArrayList<>();
    private List<String> defaultScopes = List.of("identity");
    private List<String> optionalScopes = List.of();
    private JWK privateKey;
    private boolean ownMapper = true;

    NewDataProvider(AdminApi admin, String realmUrl, JWK privateKey) {
        this.admin = admin;
        this.realmUrl = realmUrl;
        key(privateKey);
    }

    /** JWS {@code alg} of the answers. */
    public NewDataProvider signedWith(String algorithm) {
        return setting("introspection.signed.response.alg", algorithm);
    }

    /** JWE {@code alg} of the answers. */
    public NewDataProvider encryptedWith(String algorithm) {
        return setting("introspection.encrypted.response.alg", algorithm);
    }

    /** JWE {@code alg} and {@code enc} of the answers. */
    public NewDataProvider encryptedWith(String algorithm, String contentAlgorithm) {
        return encryptedWith(algorithm).setting("introspection.encrypted.response.enc", contentAlgorithm);
    }

    /** Any setting of the Data provider mapper. It is saved unchecked, as Keycloak does with a client's JSON. */
    public NewDataProvider setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** Decrypts with this key, whose public half is registered inline. */
    public NewDataProvider key(JWK key) {
        return decryptingWith(key).jwks(new JWKSet(key.toPublicJWK()).toString());
    }

    /** Decrypts with this key, whatever is registered. */
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

    /** The registered scopes. */
    public NewDataProvider optionalScopes(String... names) {
        optionalScopes = List.of(names);
        return this;
    }

    /** A further attribute of the client; after its keys, which take the place of all. */
    public NewDataProvider attribute(String name, String value) {
        attributes.put(name, value);
        return this;
    }

    /** Any further member of the client's JSON. */
    public NewDataProvider with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    /** What its client scopes add to the identity data that every data provider may have. */
    public NewDataProvider telling(String... members) {
        List.of(members).forEach(member -> AnswerMembers.allow(clientId, member));
        return this;
    }

    /** A further protocol mapper on the client itself. */
    public NewDataProvider mapper(String provider, Map<String, String> config) {
        telling(config.getOrDefault("claim.name", ""));
        mappers.add(mapperJson(provider + " " + mappers.size(), provider, config));
        return this;
    }

    /** Leaves the Data provider mapper to a client scope. */
    public NewDataProvider withoutOwnMapper() {
        ownMapper = false;
        return this;
    }

    /** Saves it in the realm. */
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

    /** A protocol mapper as the admin API takes it. */
    public static Map<String, Object> mapperJson(String name, String provider, Map<String, String> config) {
        return Map.of("name", name, "protocol", "openid-connect", "protocolMapper", provider, "config", config);
    }
}
