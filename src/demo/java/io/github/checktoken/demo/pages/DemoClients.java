package io.github.checktoken.demo.pages;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.demo.pages.exchange.DataProvider;
import io.github.checktoken.demo.pages.town.TownHall;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;

/**
 * What the pages change in the demo realm until they are closed: the addresses to which service providers send browsers,
 * if the port is not the one in the realm's file, and a data provider whose key does not fit its algorithm.
 */
final class DemoClients implements AutoCloseable {

    private static final String WRONG_KEY = "dp-wrong-key";

    private final Federation federation;
    private final AdminApi admin;
    private final String home;
    private final List<Runnable> undo = new ArrayList<>();
    private final DataProvider wrongKey;

    DemoClients(Federation federation, String home) {
        this.federation = federation;
        this.admin = federation.admin();
        this.home = home;
        allow("sp-town", TownHall.CALLBACK, TownHall.SIGNED_OUT);
        allow("sp-bank", BankPage.CALLBACK, null);
        wrongKey = createWrongKey();
    }

    /** The data provider that gets 503, because its only key is for another algorithm than its answers. */
    DataProvider wrongKey() {
        return wrongKey;
    }

    @Override
    public void close() {
        try {
            undo.forEach(Runnable::run);
        } catch (UncheckedIOException e) {
            // Keycloak has stopped. The demo starts it with a new database each time.
        }
    }

    private void allow(String clientId, String callback, String signedOut) {
        String path = admin.client(clientId);
        ObjectNode before = (ObjectNode) admin.get(path);
        ObjectNode client = before.deepCopy();
        ArrayNode callbacks = client.withArray("/redirectUris");
        for (int i = 0; i < callbacks.size(); i++) {
            if (callbacks.get(i).asText().equals(home + callback)) {
                return;
            }
        }
        callbacks.add(home + callback);
        if (signedOut != null) {
            client.withObject("/attributes").put("post.logout.redirect.uris", home + signedOut);
        }
        admin.put(path, client);
        undo.add(() -> admin.put(path, before));
    }

    private DataProvider createWrongKey() {
        JWK key = ellipticCurveKey();
        String secret = WRONG_KEY + "-demo-secret";
        String id = admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        WRONG_KEY,
                        "name",
                        "Demo data provider with a wrong key",
                        "secret",
                        secret,
                        "standardFlowEnabled",
                        false,
                        "attributes",
                        Map.of("use.jwks.string", "true", "jwks.string", new JWKSet(key.toPublicJWK()).toString()),
                        "defaultClientScopes",
                        List.of("identity"),
                        "protocolMappers",
                        List.of(NewDataProvider.mapperJson(
                                "Data provider",
                                "oidc-data-provider-mapper",
                                Map.of("introspection.encrypted.response.alg", "RSA-OAEP-256")))));
        undo.add(() -> admin.delete("/clients/" + id));
        DataProviderClient client = new DataProviderClient(federation.url(), WRONG_KEY, secret, key);
        return new DataProvider("wrong-key", client, "RS256", "RSA-OAEP-256", "A256GCM", "");
    }

    private static JWK ellipticCurveKey() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(WRONG_KEY).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
