package io.github.checktoken.bench.load;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
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
 * @param withAmr whether the client asks for {@code amr}
 * @param perSecond how many logins begin each second; 0 for as many as the server answers
 */
record Login(
        String name,
        String baseline,
        BenchServer server,
        BenchRealm realm,
        LoadFiles files,
        String clientId,
        boolean withAmr,
        int connections,
        LoginRate rate,
        int perSecond)
        implements Scenario {

    private static final Pattern COOKIE = Pattern.compile("^(AUTH_SESSION_ID=[^;]+)");

    @Override
    public Wrk.Load checked() {
        check();
        long begin = System.nanoTime();
        int browsers = perSecond == 0 ? rate.browsers() : rate.browsersAt(perSecond);
        List<String> cookies = IntrospectionCases.inParallel(0, browsers, i -> newBrowser());
        rate.prepared(browsers, (System.nanoTime() - begin) / 1e9);
        Wrk.Load load = new Wrk.Load(
                LoadFiles.script("login.lua"),
                realm.url(),
                connections,
                connections,
                List.of(
                        files.write(cookies),
                        "" + connections,
                        clientId,
                        realm.secret(),
                        BenchRealm.PASSWORD,
                        BenchRealm.REDIRECT_URI,
                        query()));
        return perSecond == 0 ? load : load.at((double) perSecond / connections);
    }

    private void check() {
        ServiceProvider serviceProvider = realm.serviceProvider(clientId);
        AuthorizationRequest request =
                serviceProvider.request().with("scope", BenchRealm.SCOPES).without("acr_values");
        if (withAmr) {
            request.askingForAmr();
        }
        Browser browser = new Browser(server.keycloak());
        Tokens tokens = serviceProvider.signIn(browser, BenchRealm.person(0), request);
        boolean right = withAmr ? tokens.amr() != null && tokens.amr().contains("pwd") : tokens.amr() == null;
        if (!right) {
            throw new AssertionError(name + ": amr is " + tokens.amr());
        }
    }

    /** @return the cookie of its authentication session */
    private String newBrowser() {
        HttpResponse<String> page =
                Http.send(Http.request(realm.url() + "/protocol/openid-connect/auth?" + query() + "&nonce=first"));
        return page.headers().allValues("Set-Cookie").stream()
                .map(COOKIE::matcher)
                .filter(Matcher::find)
                .map(cookie -> cookie.group(1))
                .findFirst()
                .orElseThrow();
    }

    private String query() {
        String query = Http.encode(Map.of(
                "response_type",
                "code",
                "client_id",
                clientId,
                "redirect_uri",
                BenchRealm.REDIRECT_URI,
                "scope",
                BenchRealm.SCOPES,
                "state",
                "state"));
        return withAmr ? query + "&" + Http.encode(Map.of("claims", AuthorizationRequest.AMR)) : query;
    }
}
