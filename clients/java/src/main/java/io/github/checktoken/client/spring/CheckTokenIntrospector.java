package io.github.checktoken.client.spring;

import java.time.Instant;
import java.util.*;

import io.github.checktoken.client.*;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.*;
import org.springframework.security.oauth2.server.resource.introspection.*;

import static org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE;

/**
 * Lets people with an active token into a Spring application, with an authority {@code SCOPE_…} for each scope. Machines
 * are rejected, and tokens that are bound to a key too, because Spring gives an introspector no proof of the key.
 *
 * <p>If the token could not be checked, it throws what Spring's {@code BearerTokenAuthenticationEntryPoint} answers with
 * 503, and not an {@link OAuth2IntrospectionException}, which becomes 500. The reason is in the exception's message, and
 * not for the service provider. {@code Retry-After} is up to your entry point, as in our example.
 */
public final class CheckTokenIntrospector implements OpaqueTokenIntrospector {

    private static final String UNAVAILABLE = "temporarily_unavailable";

    private final CheckToken checkToken;

    public CheckTokenIntrospector(CheckToken checkToken) {
        this.checkToken = checkToken;
    }

    @Override
    public OAuth2AuthenticatedPrincipal introspect(String token) {
        try {
            Answer answer = checkToken.check(token);
            Map<String, Object> claims = new HashMap<>(answer.unchecked());
            List<String> scopes = List.of(((String) claims.getOrDefault("scope", "")).split(" "));
            String sub = answer.require(scopes.get(0)).person().sub();
            // Spring Security expects these two as Instant.
            for (String time : List.of("iat", "exp")) {
                claims.computeIfPresent(
                        time,
                        (name, seconds) -> seconds instanceof Number
                                ? Instant.ofEpochSecond(((Number) seconds).longValue())
                                : null);
            }
            String authorities = "SCOPE_" + String.join(" SCOPE_", scopes);
            return new OAuth2IntrospectionAuthenticatedPrincipal(
                    sub, claims, AuthorityUtils.createAuthorityList(authorities.split(" ")));
        } catch (CheckTokenException e) {
            throw switch (e.status()) {
                case 401 -> new BadOpaqueTokenException(e.getMessage(), e);
                case 403 -> new OAuth2AuthenticationException(BearerTokenErrors.insufficientScope(e.reason(), null), e);
                default ->
                    new OAuth2AuthenticationException(
                            new BearerTokenError(UNAVAILABLE, SERVICE_UNAVAILABLE, null, null), e.getMessage(), e);
            };
        }
    }
}
