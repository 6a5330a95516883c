package io.github.checktoken.stores;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.ProductionServer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Sends values that a database may not be able to store to the endpoint and to the forms of a login: with a NUL
 * character, with characters of four bytes, and longer than any column.
 */
final class UnusualValues {

    /** By the name of the field, because the log may have some fields and not the others. */
    private static final List<UnaryOperator<String>> VALUES = List.of(
            field -> "\0" + field,
            field -> field + "\0",
            field -> repeated(field, 300),
            field -> repeated(field, 2_600),
            field -> repeated(field + "é", 30_000),
            field -> field + "\ud83d\ude00");

    private static final int LONGEST_ADDRESS = 4_000;

    private final ProductionServer server;
    private final Federation federation;

    UnusualValues(ProductionServer server, Federation federation) {
        this.server = server;
        this.federation = federation;
    }

    void assertAreRefused() throws IOException {
        long before = Files.size(server.log());
        for (UnaryOperator<String> value : VALUES) {
            calls(value);
            tokenRequests(value);
            // On MariaDB, Keycloak's own login form has no answer to characters of four bytes.
            if (value.apply("").codePoints().allMatch(Character::isBmpCodePoint)) {
                login(value);
            }
        }
        pins();
        codes();
        assertEquals(
                List.of(),
                server.logAfter(before)
                        .lines()
                        .filter(line -> line.startsWith("\tat "))
                        .limit(5)
                        .toList(),
                "the log has a stack trace");
    }

    private void calls(UnaryOperator<String> value) {
        DataProviderClient tax = federation.tax();
        Map<String, String> right =
                Map.of("client_id", tax.clientId(), "client_secret", tax.secret(), "token", "any-token");
        for (String parameter : right.keySet()) {
            Map<String, String> form = new LinkedHashMap<>(right);
            form.put(parameter, value.apply(parameter));
            HttpResponse<String> response = Http.send(Http.form(tax.url(), form));
            String what = what(parameter, value, response);
            if (parameter.equals("token") && response.statusCode() == 200) {
                assertEquals(Map.of("active", false), tax.read(response.body()).introspection());
            } else {
                assertTrue(Set.of(400, 401, 413).contains(response.statusCode()), what);
                assertTrue(Http.json(response.body()).hasNonNull("error_description"), what);
            }
        }
    }

    private void login(UnaryOperator<String> value) {
        for (String field : List.of("username", "password")) {
            Browser browser = new Browser(server);
            Map<String, String> form = new LinkedHashMap<>(Map.of("username", "camille", "password", "wrong"));
            form.put(field, value.apply(field));
            assertIsRefused(
                    browser.submit(browser.get(federation.town().request().url()), form), field, value);
        }
        String request = federation
                .town()
                .request()
                .with("client_id", value.apply("client_id"))
                .url();
        if (request.length() < LONGEST_ADDRESS) {
            assertIsRefused(new Browser(server).get(request), "client_id", value);
        }
    }

    private void tokenRequests(UnaryOperator<String> value) {
        Map.of("authorization_code", "code", "refresh_token", "refresh_token")
                .forEach((grant, field) -> assertIsRefused(
                        federation
                                .town()
                                .post(
                                        "/protocol/openid-connect/token",
                                        Map.of("grant_type", grant, field, value.apply(field))),
                        field,
                        value));
    }

    private void pins() {
        PinRealm realm = new PinRealm(server);
        for (UnaryOperator<String> value : VALUES) {
            Browser browser = realm.browser();
            HttpResponse<String> page = realm.givePassword(browser, PinRealm.PIN_FLOW, realm.newPersonWithPin());
            assertIsRefused(realm.give(browser, page, value.apply("pin")), "pin", value);
            Browser other = realm.browser();
            HttpResponse<String> choice = realm.givePassword(other, PinRealm.PIN_FLOW, realm.newPerson());
            assertIsRefused(
                    realm.choose(other, choice, value.apply("pin-new"), value.apply("pin-new")), "pin-new", value);
        }
    }

    private void codes() {
        try (MailServer mailServer = new MailServer(server);
                EmailCodeRealm realm = new EmailCodeRealm(server, mailServer)) {
            for (UnaryOperator<String> value : VALUES) {
                Browser browser = new Browser(server);
                HttpResponse<String> page = realm.signIn(browser, realm.person());
                assertIsRefused(browser.submit(page, Map.of("code", value.apply("code"))), "code", value);
            }
        }
    }

    /** It is a page that asks again, or an error. */
    private static void assertIsRefused(HttpResponse<String> response, String field, UnaryOperator<String> value) {
        assertTrue(Set.of(200, 400, 413).contains(response.statusCode()), what(field, value, response));
        assertFalse(response.body().contains("\"access_token\""), field);
    }

    private static String what(String field, UnaryOperator<String> value, HttpResponse<String> response) {
        return "%s of %d characters: %d".formatted(field, value.apply(field).length(), response.statusCode());
    }

    private static String repeated(String text, int length) {
        return (text + "1").repeat(length).substring(0, length);
    }
}
