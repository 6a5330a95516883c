package io.github.checktoken.container;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.LogSearch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Starts {@code docker-compose.yml} as the README says, with the image of the {@code Dockerfile}, and uses it. */
@Tag("compose")
class ComposeIT {

    private static ComposeServer server;

    private final Federation federation = new Federation(server);

    @BeforeAll
    static void up() throws IOException {
        server = new ComposeServer();
        assertEquals("0", server.mailSettingsStatus(), "the status of the service that sets the mail server");
    }

    @AfterAll
    static void down() throws IOException {
        if (server != null) {
            server.close();
            assertEquals(List.of(), LogSearch.search(server.log()));
            String log = Files.readString(server.log());
            assertTrue(log.contains("Native code (Conscrypt "));
            assertFalse(log.contains("ARJUNA"), "Narayana cannot write its files");
        }
    }

    @Test
    void personSignsInWithTheCodeOfACaughtMailAndADataProviderGetsAnAnswer() {
        Browser browser = new Browser(server);
        HttpResponse<String> page = federation
                .town()
                .open(
                        browser,
                        "nadia",
                        federation
                                .town()
                                .request()
                                .with("scope", Federation.ALL_SCOPES)
                                .askingForAmr());
        Tokens tokens = federation.town().redeem(browser.submit(page, Map.of("code", caughtCode())));
        assertEquals("fc pwd mail", tokens.amr());

        Answer answer = federation.tax().check(tokens.accessToken());
        assertTrue(answer.active());
        assertEquals("Nadia Fatima", answer.introspection().get("given_name"));
        assertEquals(
                Set.of("tax_household", "tax_income"),
                Set.of(((String) answer.introspection().get("scope")).split(" ")));
    }

    @Test
    void imageHasHealthAndMetrics() throws IOException {
        assertTrue(server.management("/health/ready").contains("\"status\": \"UP\""));
        federation.tax().post("not a token");
        assertTrue(server.management("/metrics").contains("checktoken_answers_seconds_count"));
    }

    /** @return the code in the only mail, from the mail catcher's REST API */
    private static String caughtCode() {
        JsonNode mails = Http.json(Http.send(Http.request(server.mailUrl() + "/email")));
        assertEquals(1, mails.size());
        JsonNode mail = mails.get(0);
        assertEquals("nadia@example.org", mail.get("to").get(0).get("address").asText());
        String code = mail.get("text")
                .asText()
                .lines()
                .filter(line -> line.matches("[0-9]+"))
                .findFirst()
                .orElseThrow();
        LogSearch.add("in a mail", code);
        return code;
    }
}
