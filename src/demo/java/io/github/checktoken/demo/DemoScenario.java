package io.github.checktoken.demo;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;

/** Shows the journey of one access token, from the login at a service provider to what two data providers learn. */
final class DemoScenario {

    private final Federation federation;
    private final DemoRealm realm;
    private final Printout out;
    private final ServiceProvider town;

    DemoScenario(Federation federation, DemoRealm realm, Printout out) {
        this.federation = federation;
        this.realm = realm;
        this.out = out;
        this.town = federation.town();
    }

    void run() {
        out.title("The journey of one access token");
        String token = signIn();
        Map<String, Object> tax = check(federation.tax(), token);
        Map<String, Object> health = check(federation.health(), token);
        compare(tax, health);
    }

    String freshToken() {
        return town.signIn("camille", Federation.ALL_SCOPES).accessToken();
    }

    private String signIn() {
        String url = town.request()
                .at("/api/v1/authorize")
                .with("scope", Federation.ALL_SCOPES)
                .askingForAmr()
                .url();
        out.step("The town hall (sp-town) sends Camille's browser to sign in, and asks for amr (claims)");
        out.url("GET", url);
        Browser browser = new Browser(federation.server());
        HttpResponse<String> page = browser.get(url);

        out.step("Camille signs in with her password, and is sent back with a code");
        HttpResponse<String> back = browser.givePassword(page, "camille");
        out.url("302", back.headers().firstValue("Location").orElse("without a Location"));

        out.step("The town hall exchanges the code for an access token");
        Tokens tokens = town.redeem(back);
        JsonNode claims = tokens.accessClaims();
        out.line("POST " + federation.url() + "/protocol/openid-connect/token");
        out.line("The token is for %s, acr %s, with the scopes"
                .formatted(claims.get("azp").asText(), claims.get("acr").asText()));
        out.line(claims.get("scope").asText());
        out.line("The ID token says in amr how she signed in: " + tokens.amr());
        require("fc pwd".equals(tokens.amr()), "amr should be 'fc pwd' after a password");
        return tokens.accessToken();
    }

    private Map<String, Object> check(DataProviderClient dataProvider, String token) {
        String name = dataProvider.clientId();
        out.step("%s got the token from the town hall and asks checktoken about it".formatted(name));
        out.line("POST " + dataProvider.url());
        HttpResponse<String> response = dataProvider.post(token);
        String type = response.headers().firstValue("Content-Type").orElse("no type");
        out.line("%d, %s, %d characters: %.30s..."
                .formatted(response.statusCode(), type, response.body().length(), response.body()));
        require(response.statusCode() == 200, name + " got no answer: " + response.body());

        Answer answer = dataProvider.read(response.body());
        out.json("The outer envelope (JWE), opened with the private key of " + name + ":", header(answer.encryption()));
        out.json(
                "The inner envelope (JWS), verified with the key that the realm publishes:",
                header(answer.signature()));
        out.json("The answer:", Http.JSON.valueToTree(answer.payload()));

        require(answer.active(), "The token that was just issued is not active for " + name);
        require(
                registered(name, token).equals(answer.introspection().get("scope")),
                name + " should see the scopes '" + registered(name, token) + "'");
        return answer.introspection();
    }

    private void compare(Map<String, Object> tax, Map<String, Object> health) {
        out.step("One person, one token, and each data provider has its own view");
        out.table(List.of(
                List.of("", "scope", "sub"),
                List.of("dp-tax", (String) tax.get("scope"), (String) tax.get("sub")),
                List.of("dp-health", (String) health.get("scope"), (String) health.get("sub"))));
        require(!tax.get("sub").equals(health.get("sub")), "Both data providers know Camille by the same sub");
    }

    /** @return the scopes of the token that are registered for the data provider, in the token's order */
    private String registered(String dataProvider, String token) {
        List<String> registered = realm.scopesOf(dataProvider);
        return Arrays.stream(Tokens.claims(token).get("scope").asText().split(" "))
                .filter(registered::contains)
                .collect(Collectors.joining(" "));
    }

    /** @return the header as it was received, because nimbus' own maps have no order */
    private static JsonNode header(com.nimbusds.jose.Header header) {
        return Http.json(header.toBase64URL().decodeToString());
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new DemoFailed(otherwise);
        }
    }
}
