package example;

import static org.springframework.security.config.Customizer.withDefaults;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.client.CheckToken;
import io.github.checktoken.client.spring.CheckTokenIntrospector;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private static final String SCOPE = "tax_income";

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

    /** Lets in people with an active token that is bound to no key. It answers 503 if the token could not be checked. */
    @Bean
    OpaqueTokenIntrospector introspector() throws Exception {
        Map<String, String> settings = System.getenv();
        List<JWK> privateKeys = new ArrayList<>();
        for (String file : settings.getOrDefault("PRIVATE_KEYS", "private.jwk.json").split(" ")) {
            privateKeys.add(JWK.parse(Files.readString(Path.of(file))));
        }
        return new CheckTokenIntrospector(CheckToken.builder(settings.get("REALM"), settings.get("CLIENT_ID"))
                .secret(settings.get("CLIENT_SECRET"))
                .decryptionKeys(privateKeys.toArray(JWK[]::new))
                .build());
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/income")
                        .hasAuthority("SCOPE_" + SCOPE)
                        .anyRequest()
                        .denyAll())
                .oauth2ResourceServer(server -> server.opaqueToken(withDefaults())
                        .authenticationEntryPoint(refusal())
                        .accessDeniedHandler((request, response, denial) -> insufficientScope(response)))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .build();
    }

    /** Answers 403 as RFC 6750 says, with the scope that the service provider has to ask for. */
    private static void insufficientScope(HttpServletResponse response) {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"insufficient_scope\", scope=\"" + SCOPE + "\"");
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    }

    /** Answers as RFC 6750 says; but if the token could not be checked, it says when to come back. */
    private static AuthenticationEntryPoint refusal() {
        AuthenticationEntryPoint bearer = new BearerTokenAuthenticationEntryPoint();
        return (request, response, failure) -> {
            bearer.commence(request, response, failure);
            if (response.getStatus() == HttpServletResponse.SC_FORBIDDEN) {
                // The token has no scope of this data provider at all.
                insufficientScope(response);
            } else if (response.getStatus() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
                LoggerFactory.getLogger(DataProviderApplication.class).error(failure.getMessage());
                response.setHeader(HttpHeaders.RETRY_AFTER, "10");
            }
        };
    }
}
