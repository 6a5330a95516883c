package io.github.checktoken.bench.load;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.ServerMeter;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;

/**
 * Whole logins with the authorization code flow: the page, the password, the code for tokens. Each login is of a browser
 * of its own, and makes a new session.
 *
 * <p>wrk shows a script only the last of several Set-Cookie headers, and Keycloak sets the cookie of the authentication
 * session first. So before each measurement, browsers open the login page once and keep this cookie. What wrk then does
 * is what such a browser does in a new tab.
 *
 * @param perSecond how many logins begin each second
 * @param longest how long a measurement takes at most
 */
record Login(
        String name,
        String baseline,
        BenchServer server,
        BenchRealm realm,
        LoadFiles files,
        int connections,
        int perSecond,
        Duration longest)
        implements Scenario {

    /** A few more browsers than logins, because those that are held up are made up for. */
    private static final double RESERVE = 1.3;

    private static final Pattern COOKIE = Pattern.compile("^(AUTH_SESSION_ID=[^;]+)");

    private static final String QUERY = Http.encode(Map.of(
            "response_type", "code",
            "client_id", BenchRealm.SERVICE_PROVIDER,
            "redirect_uri", BenchRealm.REDIRECT_URI,
            "scope", BenchRealm.SCOPES,
            "state", "state"));

    @Override
    public ServerMeter meter() {
        return server.meter();
    }

    @Override
    public Wrk.Load checked() {
        check();
        int browsers = (int) (perSecond * longest.toSeconds() * RESERVE);
        List<String> cookies = IntrospectionCases.inParallel(0, browsers, i -> newBrowser());
        return new Wrk.Load(
                        LoadFiles.script("login.lua"),
                        realm.url(),
                        connections,
                        connections,
                        List.of(
                                files.write(cookies),
                                "" + connections,
                                BenchRealm.SERVICE_PROVIDER,
                                realm.secret(),
                                BenchRealm.PASSWORD,
                                BenchRealm.REDIRECT_URI,
                                QUERY))
                .at((double) perSecond / connections);
    }

    private void check() {
        ServiceProvider serviceProvider = realm.serviceProvider(BenchRealm.SERVICE_PROVIDER);
        AuthorizationRequest request =
                serviceProvider.request().with("scope", BenchRealm.SCOPES).without("acr_values");
        Tokens tokens = serviceProvider.signIn(new Browser(server.keycloak()), BenchRealm.person(0), request);
        if (tokens.amr() != null) {
            throw new AssertionError(name + ": amr is " + tokens.amr());
        }
    }

    /** @return the cookie of its authentication session */
    private String newBrowser() {
        HttpResponse<String> page =
                Http.send(Http.request(realm.url() + "/protocol/openid-connect/auth?" + QUERY + "&nonce=first"));
        return page.headers().allValues("Set-Cookie").stream()
                .map(COOKIE::matcher)
                .filter(Matcher::find)
                .map(cookie -> cookie.group(1))
                .findFirst()
                .orElseThrow();
    }
}
