package io.github.checktoken.it;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.Answer;
import io.github.checktoken.support.Federation;
import io.github.checktoken.support.KeycloakExtension;
import io.github.checktoken.support.Tokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The main job with the demo realm as it is: from the sign-in to the answer that nimbus decrypts and verifies. */
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
}
