package example;

import static org.springframework.security.config.Customizer.withDefaults;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.BearerTokenAuthenticationEntryPoint;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A data provider: GET /income with an access token that carries the scope tax_income. */
@SpringBootApplication
@RestController
public class DataProviderApplication {

    public static void main(String[] arguments) {
        String missing = Stream.of("REALM", "CLIENT_ID", "CLIENT_SECRET")
                .filter(name -> System.getenv().getOrDefault(name, "").isEmpty())
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            System.err.println("Not set: " + missing);
            System.exit(1);
        }
        SpringApplication.run(DataProviderApplication.class, arguments);
    }

    @GetMapping("/income")
    Map<String, Object> income(@AuthenticationPrincipal OAuth2AuthenticatedPrincipal person) {
        return Map.of(
                "person", person.getName(),
                "family_name", person.getAttribute("family_name"),
                "income", 28500);
    }

    @Bean
    OpaqueTokenIntrospector introspector() throws Exception {
        Map<String, String> settings = System.getenv();
        return new CheckTokenIntrospector(
                settings.get("REALM").replaceAll("/+$", ""),
                settings.get("CLIENT_ID"),
                settings.get("CLIENT_SECRET"),
                settings.getOrDefault("PRIVATE_KEYS", "private.jwk.json").split(" "));
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/income")
                        .hasAuthority("SCOPE_tax_income")
                        .anyRequest()
                        .denyAll())
                .oauth2ResourceServer(server -> server.opaqueToken(withDefaults()).authenticationEntryPoint(refusal()))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .build();
    }

    /** Answers 401 as RFC 6750 says; but 503 if the token could not be checked, because the token may be good. */
    private static AuthenticationEntryPoint refusal() {
        AuthenticationEntryPoint bearer = new BearerTokenAuthenticationEntryPoint();
        return (request, response, failure) -> {
            if (failure instanceof CheckTokenIntrospector.NoAnswerException) {
                LoggerFactory.getLogger(DataProviderApplication.class).error(failure.getMessage());
                response.setHeader(HttpHeaders.RETRY_AFTER, "10");
                response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            } else {
                bearer.commence(request, response, failure);
            }
        };
    }
}
