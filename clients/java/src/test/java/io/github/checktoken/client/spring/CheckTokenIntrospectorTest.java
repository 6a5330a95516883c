package io.github.checktoken.client.spring;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;

import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.client.CheckToken;
import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestClient;
import io.github.checktoken.testkit.TestKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CheckTokenIntrospectorTest {

    private final TestKit kit = new TestKit();

    private MockPlatform platform;
    private CheckTokenIntrospector introspector;

    @BeforeEach
    void startPlatform() throws IOException {
        platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0);
        TestClient client = kit.clients().get(0);
        introspector = new CheckTokenIntrospector(
                CheckToken.builder(platform.issuer().replace("/api/v2", ""), client.clientId())
                        .secret(client.secret())
                        .decryptionKeys(new RSAKey.Builder((RSAKey) kit.key("data-provider-RSA"))
                                .algorithm(JWEAlgorithm.RSA_OAEP_256)
                                .build())
                        .build());
    }

    @AfterEach
    void stopPlatform() {
        platform.close();
    }

    @Test
    void aPersonHasAnAuthorityForEachScope() {
        OAuth2AuthenticatedPrincipal person = introspector.introspect(kit.token("active-several-scopes"));
        assertEquals(
                List.of("SCOPE_tax_household", "SCOPE_tax_income", "SCOPE_water:read"),
                person.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .sorted()
                        .toList());
        assertEquals("da87b1dd-54c8-3aa4-a0cc-b72de7154af6", person.getName());
        assertInstanceOf(Instant.class, person.getAttribute("exp"));
    }

    @Test
    void inactiveTokensMachinesAndBoundTokensAreRejected() {
        for (String token : List.of("inactive", "machine", "bound-to-a-key")) {
            assertThrows(BadOpaqueTokenException.class, () -> introspector.introspect(kit.token(token)), token);
        }
    }

    @Test
    void aTokenWithoutScopesIsForbidden() {
        OAuth2AuthenticationException failure = assertThrows(
                OAuth2AuthenticationException.class, () -> introspector.introspect(kit.token("active-no-scope")));
        BearerTokenError error = assertInstanceOf(BearerTokenError.class, failure.getError());
        assertEquals(HttpStatus.FORBIDDEN, error.getHttpStatus());
    }

    @Test
    void aWrongAnswerSaysNothingAboutTheToken() {
        OAuth2AuthenticationException failure = assertThrows(
                OAuth2AuthenticationException.class,
                () -> introspector.introspect(kit.token("signed-with-a-foreign-key")));
        BearerTokenError error = assertInstanceOf(BearerTokenError.class, failure.getError());
        assertEquals(HttpStatus.SERVICE_UNAVAILABLE, error.getHttpStatus());
        assertNull(error.getDescription(), "what the service provider is told");
        assertTrue(failure.getMessage().startsWith("wrong-signature: "), failure.getMessage());
    }
}
