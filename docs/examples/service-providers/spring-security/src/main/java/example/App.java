package example;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.oidc.IdTokenClaimAccessor;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks how the person signed in (amr), and asks for a second factor of its own unless that was two factors. */
@SpringBootApplication
@RestController
public class App {

    public static void main(String[] arguments) {
        SpringApplication app = new SpringApplication(App.class);
        URI callback = URI.create(System.getenv("REDIRECT_URI"));
        app.setDefaultProperties(Map.of("server.port", callback.getPort()));
        app.run(arguments);
    }

    @GetMapping("/")
    String home(@AuthenticationPrincipal OidcUser person) {
        return "Welcome. You signed in with " + String.join(" ", amr(person));
    }

    @GetMapping("/second-factor")
    String secondFactor(@AuthenticationPrincipal OidcUser person) {
        return "Your second factor, please. You signed in with " + String.join(" ", amr(person));
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        String callback = URI.create(System.getenv("REDIRECT_URI")).getPath();
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/second-factor")
                        .authenticated()
                        .anyRequest()
                        .hasAuthority("AMR_mfa"))
                .exceptionHandling(failures -> failures.accessDeniedHandler(
                        (request, response, failure) -> response.sendRedirect("/second-factor")))
                .oauth2Login(login -> login.redirectionEndpoint(endpoint -> endpoint.baseUri(callback)))
                .build();
    }

    /** Adds claims, and PKCE, which Spring Security leaves out for a client with a secret. */
    @Bean
    OAuth2AuthorizationRequestResolver requests(ClientRegistrationRepository clients) {
        String claims = "{\"id_token\":{\"amr\":{\"essential\":true}}}";
        DefaultOAuth2AuthorizationRequestResolver requests = new DefaultOAuth2AuthorizationRequestResolver(clients);
        requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce()
                .andThen(request -> request.additionalParameters(more -> more.put("claims", claims))));
        return requests;
    }

    /** Each value of amr becomes an authority, for example AMR_mfa. */
    @Bean
    GrantedAuthoritiesMapper methods() {
        return authorities -> authorities.stream()
                .filter(OidcUserAuthority.class::isInstance)
                .flatMap(authority -> amr(((OidcUserAuthority) authority).getIdToken()).stream())
                .map(method -> new SimpleGrantedAuthority("AMR_" + method))
                .toList();
    }

    /** The ID token has the claims. Keycloak's userinfo endpoint rejects lightweight access tokens. */
    @Bean
    OidcUserService people() {
        OidcUserService people = new OidcUserService();
        people.setRetrieveUserInfo(request -> false);
        return people;
    }

    private static List<String> amr(IdTokenClaimAccessor person) {
        List<String> amr = person.getClaimAsStringList("amr");
        return amr == null ? List.of() : amr;
    }
}
