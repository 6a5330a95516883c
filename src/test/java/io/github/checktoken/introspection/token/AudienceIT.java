package io.github.checktoken.introspection.token;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** If the audience of a token names data providers of the realm, the token is active for them and for nobody else. */
@ExtendWith(KeycloakExtension.class)
class AudienceIT {

    private final Federation federation;
    private final TokenSource source;
    private final DataProviderClient caller;
    private final DataProviderClient other;

    AudienceIT(Federation federation) {
        this.federation = federation;
        this.source = new TokenSource(federation);
        this.caller = federation.newDataProvider().create();
        this.other = federation.newDataProvider().create();
    }

    @AfterEach
    void close() {
        source.close();
    }

    /** Two clients that are no data providers are in the audience of each token of this service provider. */
    @Test
    void clientsThatAreNoDataProvidersDoNotMatter() {
        String token = signIn();

        assertTrue(audience(token).size() > 1, "the token must have an audience");
        assertActive(caller, token);
        assertActive(other, token);
    }

    @Test
    void tokenWithoutAudienceIsActiveForAll() {
        String token = federation.bank().signIn("camille", "openid").accessToken();

        assertEquals(List.of(), audience(token));
        assertActive(caller, token);
        assertActive(other, token);
    }

    @Test
    void tokenForThisDataProviderIsActiveForIt() {
        source.addressing(caller.clientId());
        assertActive(caller, signIn());
    }

    @Test
    void tokenForAnotherDataProviderIsNotActive() {
        source.addressing(other.clientId());
        String token = signIn();

        assertRefused(caller, token);
        assertActive(other, token);
    }

    @Test
    void tokenForBothIsActiveForBothAndForNobodyElse() {
        source.addressing(caller.clientId()).addressing(other.clientId());
        String token = signIn();

        assertActive(caller, token);
        assertActive(other, token);
        assertRefused(federation.newDataProvider().create(), token);
    }

    @Test
    void lightweightTokenHasTheAudienceThatItsMappersGive() {
        source.addressingWhenIntrospected(other.clientId()).lightweight();
        String token = signIn();

        assertTrue(!audience(token).contains(other.clientId()), "the token itself must not name it");
        assertRefused(caller, token);
        assertActive(other, token);
    }

    @Test
    void tokenOfAServiceAccountToo() {
        source.addressing(other.clientId());
        assertRefused(caller, source.serviceAccount());
    }

    /** It cannot call, but the token is meant for it, and not for others. */
    @Test
    void tokenForADataProviderThatIsDisabled() {
        assertRefused(caller, tokenFor(federation.newDataProvider().with("enabled", false)));
    }

    @Test
    void tokenForADataProviderThatIsPublic() {
        assertRefused(caller, tokenFor(federation.newDataProvider().with("publicClient", true)));
    }

    @Test
    void tokenForADataProviderWhoseMapperIsInAClientScope() {
        String scope = "data-provider-" + UUID.randomUUID();
        federation
                .admin()
                .create(
                        "/client-scopes",
                        Map.of(
                                "name",
                                scope,
                                "protocol",
                                "openid-connect",
                                "protocolMappers",
                                List.of(NewDataProvider.mapperJson(
                                        "Data provider", "oidc-data-provider-mapper", Map.of()))));
        assertRefused(
                caller, tokenFor(federation.newDataProvider().withoutOwnMapper().defaultScopes("identity", scope)));
    }

    /** One refresh token, and one access token for each data provider, by a client scope with an audience mapper. */
    @Test
    void refreshWithAScopeGivesATokenForOneDataProvider() {
        String forCaller = source.scopeAddressing(caller.clientId());
        String forOther = source.scopeAddressing(other.clientId());
        Tokens both = source.signIn("openid " + forCaller + " " + forOther);
        Tokens narrowed = source.serviceProvider()
                .token(Map.of(
                        "grant_type",
                        "refresh_token",
                        "refresh_token",
                        both.refreshToken(),
                        "scope",
                        "openid " + forOther));

        assertActive(caller, both.accessToken());
        assertActive(other, both.accessToken());
        assertRefused(caller, narrowed.accessToken());
        assertEquals(
                "eidas1", other.check(narrowed.accessToken()).introspection().get("acr"));
    }

    @Test
    void exchangeWithAnAudienceGivesATokenForOneDataProvider() {
        source.addressing(caller.clientId()).addressing(other.clientId());
        String narrowed = source.serviceProvider()
                .token(Map.of(
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token_type",
                        "urn:ietf:params:oauth:token-type:access_token",
                        "subject_token",
                        signIn(),
                        "audience",
                        other.clientId()))
                .accessToken();

        assertEquals(List.of(other.clientId()), audience(narrowed));
        assertRefused(caller, narrowed);
        assertActive(other, narrowed);
    }

    /** Each name that the realm does not know costs a query of the database. */
    @Test
    void tokenWithMoreThan200NamesIsActiveOnlyForThoseNamed() {
        source.addressing(200, caller.clientId());
        String token = signIn();

        assertTrue(audience(token).size() > 200);
        assertActive(caller, token);
        assertRefused(other, token, "More than 200 audiences");
    }

    private String tokenFor(NewDataProvider dataProvider) {
        source.addressing(dataProvider.create().clientId());
        return signIn();
    }

    private String signIn() {
        return source.signIn("openid").accessToken();
    }

    private static List<String> audience(String token) {
        JsonNode audience = Tokens.claims(token).path("aud");
        return audience.isTextual()
                ? List.of(audience.asText())
                : audience.valueStream().map(JsonNode::asText).toList();
    }

    private static void assertActive(DataProviderClient dataProvider, String token) {
        assertTrue(dataProvider.check(token).active());
    }

    private void assertRefused(DataProviderClient dataProvider, String token) {
        assertRefused(dataProvider, token, "The audience names other data providers");
    }

    private void assertRefused(DataProviderClient dataProvider, String token, String reason) {
        assertEquals(Map.of("active", false), dataProvider.check(token).introspection());
        JsonNode event = federation
                .admin()
                .get("/events?client=" + dataProvider.clientId())
                .get(0);
        assertEquals("INTROSPECT_TOKEN_ERROR", event.get("type").asText());
        assertEquals("invalid_token", event.get("error").asText());
        assertEquals(reason, event.at("/details/reason").asText());
    }
}
