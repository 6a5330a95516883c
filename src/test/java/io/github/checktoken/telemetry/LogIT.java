package io.github.checktoken.telemetry;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests what this project logs. The tests' server logs it at TRACE. */
@ExtendWith(KeycloakExtension.class)
class LogIT {

    private final Federation federation;

    LogIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void holdsNoTokenNoSecretAndNothingOfThePerson() throws IOException {
        Tokens tokens = federation.town().signIn("camille", Federation.ALL_SCOPES);
        DataProviderClient tax = federation.tax();
        String answer = tax.post(tokens.accessToken()).body();
        tax.post(tokens.idToken());
        tax.post(answer);
        federation.newDataProvider().signedWith("ES512").create().post(tokens.accessToken());
        federation.newDataProvider().encryptedWith("ECDH-ES").create().post(tokens.accessToken());
        Http.send(Http.form(tax.url(), "client_id=dp-tax&client_secret=guessed-secret&token=" + tokens.accessToken()));
        Http.send(Http.form(tax.url(), "client_id=dp-tax&client_secret=guessed-secret&token=%zz"));
        Http.send(
                Http.form(tax.url(), "token=" + tokens.accessToken()).header("Authorization", "Basic guessed-secret"));
        federation
                .newDataProvider()
                .jwks("{\"keys\":[guessed-secret]}")
                .create()
                .post(tokens.accessToken());
        federation
                .newDataProvider()
                .jwksUrl("http://127.0.0.1:1/guessed-secret")
                .create()
                .post(tokens.accessToken());
        Http.send(Http.form(tax.url(), "client_id=dp-tax&client_secret=guessed-secret"));

        List<String> log = logWith("checktoken: missing token");
        List<String> secrets = Stream.of(
                        tokens.accessToken(),
                        tokens.refreshToken(),
                        tokens.idToken(),
                        answer,
                        tax.decrypt(answer),
                        tax.secret(),
                        "guessed-secret",
                        "Moreau",
                        "Camille",
                        "1988-03-14")
                .toList();
        assertNoneOf(secrets, log);
    }

    @Test
    void holdsNothingOfALoginThatAskedForAmr() throws IOException {
        ServiceProvider town = federation.town();
        Browser browser = new Browser(federation.server());
        AuthorizationRequest request = town.request().askingForAmr();
        HttpResponse<String> redirect = town.open(browser, "camille", request);
        Tokens tokens = town.redeem(redirect);
        Tokens refreshed = town.refresh(tokens);
        town.signIn(browser, "camille", town.request().with("claims", "{\"id_token\":{\"amr\":\"asked-strangely\"}}"));
        town.signIn(browser, "camille", town.request().with("claims", "asked-strangely"));

        List<String> log = logWith("amr: the claims parameter is not JSON");
        assertNoneOf(
                List.of(
                        ServiceProvider.code(redirect),
                        request.parameters().get("nonce"),
                        tokens.accessToken(),
                        tokens.refreshToken(),
                        tokens.idToken(),
                        refreshed.refreshToken(),
                        refreshed.idToken(),
                        Tokens.claims(refreshed.refreshToken()).path("jti").asText(),
                        town.secret(),
                        "demo-password"),
                log);
        // Keycloak itself writes into the log what it cannot read of a claims parameter.
        assertNoneOf(List.of("asked-strangely"), ownLines(log));
    }

    private static List<String> ownLines(List<String> log) {
        return log.stream()
                .filter(line -> line.contains("[io.github.checktoken"))
                .toList();
    }

    private static void assertNoneOf(List<String> secrets, List<String> log) {
        assertEquals(
                List.of(),
                log.stream()
                        .filter(line -> secrets.stream().anyMatch(line::contains))
                        .toList());
    }

    /** @return the server's log as soon as it has this text, which the last call writes at DEBUG */
    private List<String> logWith(String text) throws IOException {
        for (long end = System.nanoTime() + Duration.ofSeconds(10).toNanos(); System.nanoTime() < end; ) {
            List<String> log = Files.readAllLines(federation.server().log());
            if (log.stream().anyMatch(line -> line.contains(text))) {
                return log;
            }
        }
        throw new AssertionError("The log is not at TRACE: no " + text);
    }
}
