package example;

import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.net.URI;
import java.util.List;
import org.pac4j.core.config.Config;
import org.pac4j.core.http.callback.NoParameterCallbackUrlResolver;
import org.pac4j.core.profile.ProfileManager;
import org.pac4j.javalin.CallbackHandler;
import org.pac4j.javalin.JavalinWebContext;
import org.pac4j.javalin.SecurityHandler;
import org.pac4j.jee.context.session.JEESessionStore;
import org.pac4j.oidc.client.OidcClient;
import org.pac4j.oidc.config.OidcConfiguration;
import org.pac4j.oidc.profile.OidcProfile;

/** Asks how the person signed in (amr), and asks for a second factor of its own unless that was two factors. */
public final class App {

    public static void main(String[] arguments) {
        URI callback = URI.create(System.getenv("REDIRECT_URI"));
        OidcConfiguration settings = new OidcConfiguration()
                .setDiscoveryURI(System.getenv("REALM") + "/.well-known/openid-configuration")
                .setClientId(System.getenv("CLIENT_ID"))
                .setSecret(System.getenv("CLIENT_SECRET"))
                // Otherwise it is the first of the realm's metadata, private_key_jwt.
                .setClientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .setScope("openid")
                .setUseNonce(true)
                // The ID token has the claims. Keycloak's userinfo endpoint rejects lightweight access tokens.
                .setCallUserInfoEndpoint(false);
        settings.addCustomParam("claims", "{\"id_token\":{\"amr\":{\"essential\":true}}}");
        OidcClient platform = new OidcClient(settings);
        platform.setCallbackUrlResolver(new NoParameterCallbackUrlResolver());
        Config config = new Config(callback.toString(), platform);

        Javalin app = Javalin.create();
        app.get(callback.getPath(), new CallbackHandler(config, "/"));
        for (String path : List.of("/", "/second-factor")) {
            app.before(path, new SecurityHandler(config, platform.getName()));
        }
        app.get("/", App::home);
        app.get("/second-factor", context -> context.result("Your second factor, please. You signed in with "
                + String.join(" ", amr(context))));
        app.start(callback.getHost(), callback.getPort());
        System.out.println("Open " + callback.resolve("/"));
    }

    private static void home(Context context) {
        List<String> amr = amr(context);
        if (amr.contains("mfa")) {
            context.result("Welcome. You signed in with " + String.join(" ", amr));
        } else {
            context.redirect("/second-factor");
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> amr(Context context) {
        OidcProfile profile = new ProfileManager(new JavalinWebContext(context), new JEESessionStore())
                .getProfile(OidcProfile.class)
                .orElseThrow();
        return profile.getAmr() == null ? List.of() : (List<String>) profile.getAmr();
    }
}
