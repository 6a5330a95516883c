package io.github.checktoken.client.spring;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.client.Answer;
import io.github.checktoken.client.CheckToken;
import io.github.checktoken.client.CheckTokenException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionAuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

/**
 * Lets people with an active token into a Spring application, with an authority {@code SCOPE_…} for each scope. Machines
 * are rejected, and tokens that are bound to a key too, because Spring gives an introspector no proof of the key.
 *
 * <p>If the token could not be checked, it throws an {@link OAuth2IntrospectionException}: answer 503.
 */
public final class CheckTokenIntrospector implements OpaqueTokenIntrospector {

    private final CheckToken checkToken;

    public CheckTokenIntrospector(CheckToken checkToken) {
        this.checkToken = checkToken;
    }

    @Override
    public OAuth2AuthenticatedPrincipal introspect(String token) {
        try {
            return principal(checkToken.check(token).person());
        } catch (CheckTokenException e) {
            throw e.reason().status() == 401
                    ? new BadOpaqueTokenException(e.getMessage(), e)
                    : new OAuth2IntrospectionException(e.getMessage(), e);
        }
    }

    private static OAuth2AuthenticatedPrincipal principal(Answer.Person person) {
        List<GrantedAuthority> authorities = person.scopes().stream()
                .<GrantedAuthority>map(scope -> new SimpleGrantedAuthority("SCOPE_" + scope))
                .toList();
        Map<String, Object> claims = new HashMap<>(person.claims());
        // Spring Security expects these two as Instant.
        for (String time : List.of("iat", "exp")) {
            claims.computeIfPresent(time, (name, seconds) -> Instant.ofEpochSecond(((Number) seconds).longValue()));
        }
        return new OAuth2IntrospectionAuthenticatedPrincipal(person.sub(), claims, authorities);
    }
}
