package io.github.checktoken.support.realm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.server.KeycloakServer;

/** The demo realm, with its clients, their secrets and their keys. */
public final class Federation {

    public static final String REALM = "federation";
    public static final String ALL_SCOPES =
            "openid given_name family_name birthdate tax_household health_rights tax_income";

    private final KeycloakServer server;

    public Federation(KeycloakServer server) {
        this.server = server;
    }

    public KeycloakServer server() {
        return server;
    }

    public String url() {
        return server.realmUrl(REALM).toString();
    }

    /** @return the address with TLS, which has another issuer */
    public String secureUrl() {
        return server.secureUrl() + "/realms/" + REALM;
    }

    public AdminApi admin() {
        return new AdminApi(server, REALM);
    }

    public ServiceProvider town() {
        return serviceProvider("sp-town");
    }

    public ServiceProvider bank() {
        return serviceProvider("sp-bank");
    }

    public DataProviderClient tax() {
        return dataProvider("dp-tax");
    }

    public DataProviderClient health() {
        return dataProvider("dp-health");
    }

    /** @return another data provider, for one test */
    public NewDataProvider newDataProvider() {
        return new NewDataProvider(admin(), url(), demoKey("dp-tax"));
    }

    /** @return another identity provider, for one test */
    public NewIdentityProvider newIdentityProvider() {
        return new NewIdentityProvider(this);
    }

    private ServiceProvider serviceProvider(String clientId) {
        return new ServiceProvider(
                server, REALM, clientId, clientId + "-demo-secret", "http://localhost:8999/" + clientId + "/callback");
    }

    private DataProviderClient dataProvider(String clientId) {
        return new DataProviderClient(url(), clientId, clientId + "-demo-secret", demoKey(clientId));
    }

    private static JWK demoKey(String clientId) {
        String file = "/demo-keys/" + clientId + "-demo-private-key.jwk.json";
        try (InputStream key = Federation.class.getResourceAsStream(file)) {
            return JWK.parse(new String(key.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalStateException(file, e);
        }
    }
}
