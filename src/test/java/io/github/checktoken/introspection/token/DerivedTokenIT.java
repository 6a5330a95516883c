package io.github.checktoken.introspection.token;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A token that is made from one that names a data provider is active for nobody else: neither a permission token of UMA
 * nor what the data provider gets by a token exchange (RFC 9701 section 5, RFC 8707).
 */
@ExtendWith(KeycloakExtension.class)
class DerivedTokenIT {

    private static final String FOR_THE_RESOURCE_SERVER = "A permission token of another resource server";
    private static final String FOR_THE_EXCHANGER = "Another data provider exchanged it";

    private final Federation federation;
    private final AdminApi admin;
    private final TokenSource source;
    private final TokenSource resources;
    private final DataProviderClient addressed;
    private final DataProviderClient other;
    private final ServiceProvider exchanger;

    DerivedTokenIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.source = new TokenSource(federation);
        this.resources = new TokenSource(federation);
        String secret = "secret-of-" + UUID.randomUUID();
        this.addressed = federation
                .newDataProvider()
                .attribute("standard.token.exchange.enabled", "true")
                .attribute("standard.token.exchange.enableRefreshRequestedTokenType", "SAME_SESSION")
                .with("serviceAccountsEnabled", true)
                .secret(secret)
                .create();
        this.other = federation.newDataProvider().create();
        this.exchanger = new ServiceProvider(
                federation.server(),
                federation.realm(),
                addressed.clientId(),
                secret,
                "https://dp.example.org/callback");
        source.addressing(addressed.clientId());
    }

    @AfterEach
    void close() {
        source.close();
        resources.close();
    }

    /** The resource server is a service provider. Its mappers put other names into the audience, too. */
    @Test
    void permissionTokenOfAServiceProviderIsActiveForNoDataProvider() {
        resources.addressing(other.clientId());
        String token =
                resources.permissionToken(source.signIn("openid").accessToken()).accessToken();

        assertTrue(
                audience(token).contains(resources.serviceProvider().clientId()), "it must be for the resource server");
        assertRefused(other, token, FOR_THE_RESOURCE_SERVER);
        assertRefused(addressed, token, FOR_THE_RESOURCE_SERVER);
    }

    @Test
    void permissionTokenOfADataProviderIsActiveForItAlone() {
        TokenSource.protect(admin, admin.client(addressed.clientId()));
        String token = TokenSource.permissionToken(
                        federation, source.signIn("openid").accessToken(), addressed.clientId())
                .accessToken();

        assertTrue(addressed.check(token).active());
        assertRefused(other, token, FOR_THE_RESOURCE_SERVER);
    }

    @Test
    void permissionTokenOfAServiceAccountHasNeitherLevelNorIdentity() {
        TokenSource.protect(admin, admin.client(addressed.clientId()));
        String token = TokenSource.permissionToken(federation, source.serviceAccount(), addressed.clientId())
                .accessToken();

        Map<String, Object> answer = addressed.check(token).introspection();
        assertEquals(Set.of("active", "aud", "client_id", "sub", "iat", "exp", "jti", "scope"), answer.keySet());
        assertRefused(other, token, FOR_THE_RESOURCE_SERVER);
    }

    @Test
    void refreshedPermissionTokenIsActiveForNobodyElse() {
        Tokens permissions = resources.permissionToken(source.signIn("openid").accessToken());
        String token = source.refresh(permissions);

        assertTrue(Tokens.claims(token).has("authorization"));
        assertRefused(other, token, FOR_THE_RESOURCE_SERVER);
        assertRefused(addressed, token, FOR_THE_RESOURCE_SERVER);
    }

    @Test
    void permissionTokenOfALightweightTokenToo() {
        String token = resources
                .permissionToken(source.lightweight().signIn("openid").accessToken())
                .accessToken();

        assertRefused(other, token, FOR_THE_RESOURCE_SERVER);
    }

    /** It would be the same token without the claim that says that it is one. */
    @Test
    void keycloaksIntrospectionGivesNoJwtOfAPermissionToken() {
        String token = resources
                .permissionToken(resources.signIn("openid").accessToken())
                .accessToken();

        assertFalse(resources.introspectionAskingForAJwt(token).has("jwt"));
        assertTrue(resources
                .introspectionAskingForAJwt(resources.signIn("openid").accessToken())
                .has("jwt"));
    }

    @Test
    void permissionTokenThatTheDataProviderRequestsToo() {
        String subject = source.signIn("openid").accessToken();
        resources.permissionToken(subject);
        JsonNode answer = Http.json(exchanger.post(
                "/protocol/openid-connect/token",
                Map.of(
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:uma-ticket",
                        "audience",
                        resources.serviceProvider().clientId(),
                        "subject_token",
                        subject)));

        assertRefused(other, answer.get("access_token").asText(), FOR_THE_RESOURCE_SERVER);
    }

    @Test
    void tokenThatADataProviderExchangesIsActiveForItAlone() {
        String token = exchange(source.signIn("openid").accessToken(), Map.of()).accessToken();

        assertTrue(addressed.check(token).active());
        assertRefused(other, token, FOR_THE_EXCHANGER);
        assertRefused(other, exchange(token, Map.of()).accessToken(), FOR_THE_EXCHANGER);
    }

    /** The audience is another data provider, which a mapper of the exchanging one allows. */
    @Test
    void neitherIsItIfItNamesAnotherDataProvider() {
        admin.create(
                admin.client(addressed.clientId()) + "/protocol-mappers/models",
                TokenSource.inAudience(other.clientId()));
        String token = exchange(source.signIn("openid").accessToken(), Map.of("audience", other.clientId()))
                .accessToken();

        assertEquals(List.of(other.clientId()), audience(token));
        assertRefused(other, token, FOR_THE_EXCHANGER);
    }

    @Test
    void refreshOfWhatADataProviderExchangesIsActiveForItAlone() {
        Tokens exchanged = exchange(
                source.signIn("openid").accessToken(),
                Map.of("requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token"));
        String token = exchanger.refresh(exchanged).accessToken();

        assertTrue(addressed.check(token).active());
        assertRefused(other, token, FOR_THE_EXCHANGER);
        assertRefused(other, exchanged.accessToken(), FOR_THE_EXCHANGER);
    }

    /** Keycloak's first token exchange, which is a preview, writes nothing into the token's id. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void firstTokenExchangeToo(boolean refreshed) {
        admin.update(
                admin.client(addressed.clientId()),
                client -> ((ObjectNode) client.get("attributes")).put("standard.token.exchange.enabled", "false"));
        Tokens exchanged = exchange(source.signIn("openid").accessToken(), Map.of());
        String token = refreshed ? exchanger.refresh(exchanged).accessToken() : exchanged.accessToken();

        assertTrue(addressed.check(token).active());
        assertRefused(other, token, FOR_THE_EXCHANGER);
    }

    /** The exchange of a service provider that no data provider is named in. */
    @Test
    void tokenThatAServiceProviderExchangesIsActiveForAll() {
        String token = resources.exchanged(resources.signIn("openid").accessToken());

        assertTrue(other.check(token).active());
        assertTrue(addressed.check(token).active());
    }

    /** A data provider may also sign people in. Its own tokens are a service provider's. */
    @Test
    void tokenOfADataProvidersOwnLoginIsActiveForAll() {
        admin.update(
                admin.client(addressed.clientId()),
                client -> client.put("standardFlowEnabled", true)
                        .putArray("redirectUris")
                        .add("https://dp.example.org/callback"));
        Tokens own = exchanger.signIn("camille", "openid");

        assertTrue(other.check(own.accessToken()).active());
        assertTrue(other.check(exchanger.refresh(own).accessToken()).active());
    }

    private Tokens exchange(String subject, Map<String, String> more) {
        Map<String, String> form = new HashMap<>(Map.of(
                "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                "subject_token", subject,
                "subject_token_type", "urn:ietf:params:oauth:token-type:access_token"));
        form.putAll(more);
        return exchanger.token(form);
    }

    private static List<String> audience(String token) {
        JsonNode audience = Tokens.claims(token).path("aud");
        return audience.isTextual()
                ? List.of(audience.asText())
                : audience.valueStream().map(JsonNode::asText).toList();
    }

    private void assertRefused(DataProviderClient dataProvider, String token, String reason) {
        assertEquals(Map.of("active", false), dataProvider.check(token).introspection());
        JsonNode event = admin.get("/events?client=" + dataProvider.clientId()).get(0);
        assertEquals("invalid_token", event.get("error").asText());
        assertEquals(reason, event.at("/details/reason").asText());
    }
}
