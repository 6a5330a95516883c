package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the main job with the unchanged demo realm, from the login to the answer that nimbus decrypts and verifies. */
@ExtendWith(KeycloakExtension.class)
class CheckTokenIT {

    private final Federation federation;

    CheckTokenIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void taxOfficeReadsWhoThePersonIs() {
        Tokens tokens = federation.town().signIn("camille", Federation.ALL_SCOPES);

        Answer answer = federation.tax().check(tokens.accessToken());

        Map<String, Object> introspection = answer.introspection();
        assertEquals("Camille Louise Marie", introspection.get("given_name"));
        assertEquals(List.of("Camille", "Louise", "Marie"), introspection.get("given_name_array"));
        assertEquals("Moreau", introspection.get("family_name"));
        assertEquals("female", introspection.get("gender"));
        assertEquals("1988-03-14", introspection.get("birthdate"));
        assertEquals("75107", introspection.get("birthplace"));
        assertEquals("99100", introspection.get("birthcountry"));
    }

    @Test
    void headersOfBothEnvelopesAreThoseOfTheSettings() {
        String token = federation.town().signIn("camille", "openid").accessToken();

        Answer tax = federation.tax().check(token);
        assertEquals("ES256", tax.signature().getAlgorithm().getName());
        assertEquals(
                Map.of("alg", "RSA-OAEP-256", "enc", "A256GCM", "cty", "JWT", "kid", "dp-tax-demo-key"),
                tax.encryption().toJSONObject());

        Answer health = federation.health().check(token);
        assertEquals("RS256", health.signature().getAlgorithm().getName());
        assertEquals(
                Set.of("alg", "enc", "cty", "kid", "epk"),
                health.encryption().toJSONObject().keySet());
        assertEquals("ECDH-ES", health.encryption().getAlgorithm().getName());

        for (Answer answer : List.of(tax, health)) {
            assertEquals(
                    Set.of("alg", "kid", "typ"),
                    answer.signature().toJSONObject().keySet());
            assertEquals("token-introspection+jwt", answer.signature().getType().getType());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/json",
                "application/jwt",
                "text/html",
                "application/token-introspection+jwt",
                "application/xml;q=0.1"
            })
    void answerIsTheNestedJwtWhateverAcceptSays(String accept) {
        String token = federation.town().signIn("camille", "openid").accessToken();
        String body = "client_id=dp-tax&client_secret=dp-tax-demo-secret&token=" + token;

        HttpResponse<String> response =
                Http.send(Http.form(federation.tax().url(), body).header("Accept", accept));

        assertEquals(200, response.statusCode());
        assertEquals(
                List.of("application/token-introspection+jwt"),
                response.headers().allValues("Content-Type"));
        assertEquals(List.of("no-store"), response.headers().allValues("Cache-Control"));
        assertEquals(List.of(), response.headers().allValues("Set-Cookie"));
        assertTrue(federation.tax().read(response.body()).active());
    }

    @Test
    void payloadHasFourMembersAndAnIssueTimeNotAhead() {
        String token = federation.town().signIn("camille", "openid").accessToken();
        for (DataProviderClient dataProvider : List.of(federation.tax(), federation.health())) {
            Map<String, Object> payload = dataProvider.check(token).payload();
            assertEquals(Set.of("token_introspection", "aud", "iat", "iss"), payload.keySet());
            assertEquals(dataProvider.clientId(), payload.get("aud"));
            assertEquals(federation.url() + "/api/v2", payload.get("iss"));
            assertTrue(
                    ((Number) payload.get("iat")).longValue() <= Instant.now().getEpochSecond());
        }
    }

    @Test
    void lengthOfAnAnswerDoesNotTellWhetherTheTokenIsActive() {
        DataProviderClient tax = federation.tax();
        HttpResponse<String> active =
                tax.post(federation.town().signIn("camille", "openid").accessToken());
        HttpResponse<String> inactive = tax.post("unknown");
        assertTrue(tax.read(active.body()).active());
        assertFalse(tax.read(inactive.body()).active());
        assertEquals(inactive.body().length(), active.body().length());
    }

    @Test
    void theShortNameGivesTheSameAnswer() {
        String token = federation.town().signIn("camille", "openid tax_income").accessToken();
        String body = "client_id=dp-tax&client_secret=dp-tax-demo-secret&token=" + token;
        Answer answer = federation
                .tax()
                .read(Http.send(Http.form(federation.url() + "/checktoken", body))
                        .body());
        assertEquals(federation.tax().check(token).introspection(), answer.introspection());
    }
}
