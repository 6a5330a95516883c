package example;

import static org.springframework.security.authorization.AuthorizationManagers.allOf;
import static org.springframework.security.authorization.AuthorityAuthorizationManager.hasAuthority;
import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Security's own introspector asks the adapter. It has no proof of a key, so that tokens with cnf are refused. */
@SpringBootApplication
@RestController
public class IncomeApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(IncomeApplication.class, arguments);
    }

    @GetMapping("/income")
    String income(@AuthenticationPrincipal OAuth2AuthenticatedPrincipal person) {
        return "income of " + person.getAttribute("sub");
    }

    /** Spring's own, except that a token which could not be checked gives 503: that says nothing about it. */
    @Bean
    OpaqueTokenIntrospector introspector(OAuth2ResourceServerProperties properties) {
        var settings = properties.getOpaquetoken();
        OpaqueTokenIntrospector introspector = SpringOpaqueTokenIntrospector.withIntrospectionUri(settings.getIntrospectionUri())
                .clientId(settings.getClientId())
                .clientSecret(settings.getClientSecret())
                .build();
        return token -> {
            try {
                return introspector.introspect(token);
            } catch (BadOpaqueTokenException inactive) {
                throw inactive;
            } catch (OAuth2IntrospectionException unknown) {
                throw new OAuth2AuthenticationException(
                        new BearerTokenError("temporarily_unavailable", HttpStatus.SERVICE_UNAVAILABLE, null, null));
            }
        };
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        // A machine has no family_name. A token that is bound to a key is no bearer token.
        AuthorizationManager<Object> person = (authentication, request) -> new AuthorizationDecision(
                authentication.get().getPrincipal() instanceof OAuth2AuthenticatedPrincipal principal
                        && principal.getAttribute("family_name") != null
                        && principal.getAttribute("cnf") == null);
        return http.authorizeHttpRequests(
                        requests -> requests.anyRequest().access(allOf(hasAuthority("SCOPE_tax_income"), person)))
                .oauth2ResourceServer(server -> server.opaqueToken(withDefaults()))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .build();
    }
}
