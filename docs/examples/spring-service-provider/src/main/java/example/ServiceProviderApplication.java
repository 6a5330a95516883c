package example;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserService;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service provider: signs a person in, and asks how the person signed in (amr). */
@SpringBootApplication
@RestController
public class ServiceProviderApplication {

    private static final String AMR = "{\"id_token\":{\"amr\":{\"essential\":true}}}";

    private final Map<String, String> settings = System.getenv();

    public static void main(String[] arguments) {
        String missing = Stream.of("REALM", "CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URI", "SCOPE")
                .filter(name -> System.getenv().getOrDefault(name, "").isEmpty())
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            System.err.println("Not set: " + missing);
            System.exit(1);
        }
        SpringApplication application = new SpringApplication(ServiceProviderApplication.class);
        application.setDefaultProperties(
                Map.of("server.port", URI.create(System.getenv("REDIRECT_URI")).getPort()));
        application.run(arguments);
    }

    @GetMapping("/")
    String home(
            @AuthenticationPrincipal OidcUser person,
            @RegisteredOAuth2AuthorizedClient("platform") OAuth2AuthorizedClient platform) {
        String[] idToken = person.getIdToken().getTokenValue().split("\\.");
        List<String> amr = person.getIdToken().getClaimAsStringList("amr");
        System.out.println("ID token: " + new String(Base64.getUrlDecoder().decode(idToken[1]), StandardCharsets.UTF_8));
        System.out.println("Two factors: " + (amr != null && amr.contains("mfa")));
        System.out.println(
                "Access token, only to try with: " + platform.getAccessToken().getTokenValue());
        return "You are signed in. The terminal shows the rest.";
    }

    @Bean
    ClientRegistrationRepository clients() {
        return new InMemoryClientRegistrationRepository(ClientRegistrations.fromIssuerLocation(
                        settings.get("REALM").replaceAll("/+$", ""))
                .registrationId("platform")
                .clientId(settings.get("CLIENT_ID"))
                .clientSecret(settings.get("CLIENT_SECRET"))
                .redirectUri(settings.get("REDIRECT_URI"))
                .scope(settings.get("SCOPE").split(" "))
                .build());
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .oauth2Login(login -> login.authorizationEndpoint(
                                authorization -> authorization.authorizationRequestResolver(requests(clients)))
                        .redirectionEndpoint(redirection -> redirection.baseUri(
                                URI.create(settings.get("REDIRECT_URI")).getPath()))
                        .userInfoEndpoint(userInfo -> userInfo.oidcUserService(atLevelEidas1()))
                        .failureHandler(failed()))
                .build();
    }

    /** Adds what differs on this platform, and PKCE, which Spring Security leaves out for a client with a secret. */
    private static OAuth2AuthorizationRequestResolver requests(ClientRegistrationRepository clients) {
        DefaultOAuth2AuthorizationRequestResolver requests = new DefaultOAuth2AuthorizationRequestResolver(
                clients, OAuth2AuthorizationRequestRedirectFilter.DEFAULT_AUTHORIZATION_REQUEST_BASE_URI);
        requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce()
                .andThen(request -> request.additionalParameters(
                        parameters -> parameters.putAll(Map.of("acr_values", "eidas1", "claims", AMR)))));
        return requests;
    }

    private static OAuth2UserService<OidcUserRequest, OidcUser> atLevelEidas1() {
        OidcUserService users = new OidcUserService();
        // The ID token has the claims. Keycloak's userinfo endpoint rejects lightweight access tokens.
        users.setRetrieveUserInfo(request -> false);
        return request -> {
            String acr = request.getIdToken().getClaimAsString("acr");
            if (!"eidas1".equals(acr)) {
                throw new OAuth2AuthenticationException(
                        new OAuth2Error("acr", "The level of assurance is " + acr, null));
            }
            return users.loadUser(request);
        };
    }

    private static AuthenticationFailureHandler failed() {
        return (request, response, failure) -> {
            System.err.println("The login failed: " + failure.getMessage());
            response.setStatus(400);
            response.getWriter().print("The login failed. The terminal says why.");
        };
    }
}
