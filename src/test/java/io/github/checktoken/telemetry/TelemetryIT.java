package io.github.checktoken.telemetry;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Meters;
import io.github.checktoken.support.server.TraceCollector;
import io.opentelemetry.proto.trace.v1.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests what operators see: Keycloak's metrics endpoint, and the traces that Keycloak exports. */
@ExtendWith(KeycloakExtension.class)
class TelemetryIT {

    private static final String CALLERS_SPAN = "00f067aa0ba902b7";

    private final Federation federation;
    private final TraceCollector traces;
    private final Meters meters;

    TelemetryIT(Federation federation, TraceCollector traces) {
        this.federation = federation;
        this.traces = traces;
        this.meters = new Meters(federation.server());
    }

    @Test
    void activeAnswersAreCounted() {
        String token = federation.town().signIn("camille", "openid").accessToken();
        assertCounts("active", () -> federation.tax().post(token));
    }

    @Test
    void inactiveAnswersAreCounted() {
        assertCounts("inactive", () -> federation.tax().post("any-token"));
    }

    @ParameterizedTest
    @CsvSource({
        "invalid_request,     client_id=dp-tax&client_secret=dp-tax-demo-secret",
        "invalid_client,      client_id=dp-tax&client_secret=wrong&token=t",
        "unauthorized_client, client_id=sp-town&client_secret=sp-town-demo-secret&token=t"
    })
    void refusedCallsAreCountedByTheirError(String error, String form) {
        assertCounts(error, () -> Http.send(Http.form(federation.tax().url(), form)));
    }

    @Test
    void brokenSettingsAreCounted() {
        DataProviderClient client =
                federation.newDataProvider().signedWith("none").create();
        assertCounts("server_error", () -> client.post("any-token"));
    }

    /** Prometheus sees no increase of a counter that begins above 0. */
    @Test
    void allOutcomesOfARealmAppearWithItsFirstCall() {
        FreshRealm realm = new FreshRealm(federation.server());
        Http.send(Http.form(
                federation.server().realmUrl(realm.name()) + "/checktoken",
                "client_id=nobody&client_secret=wrong&token=t"));

        assertEquals(
                Map.of(
                        "active", 0.0,
                        "inactive", 0.0,
                        "invalid_request", 0.0,
                        "invalid_client", 1.0,
                        "access_denied", 0.0,
                        "unauthorized_client", 0.0,
                        "server_error", 0.0,
                        "temporarily_unavailable", 0.0),
                meters.lines()
                        .filter(line -> line.matches("checktoken_answers_seconds_count\\{.*\"" + realm.name() + "\".*"))
                        .collect(Collectors.toMap(
                                line -> line.replaceAll(".*outcome=\"([a-z_]+)\".*", "$1"),
                                line -> Double.parseDouble(line.substring(line.indexOf("} ") + 2)))));
    }

    @Test
    void fetchesOfKeysAreCounted() throws JOSEException {
        RSAKey key = new RSAKeyGenerator(2048).generate();
        try (JwksServer host = new JwksServer(federation.server(), key)) {
            double fetched = fetches("success");
            federation
                    .newDataProvider()
                    .jwksUrl(host.url())
                    .decryptingWith(key)
                    .create()
                    .check("any-token");
            assertEquals(fetched + 1, fetches("success"));

            double failed = fetches("failure");
            host.behave(JwksServer.body(500, "text/plain", "down"));
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();
            assertCounts("temporarily_unavailable", () -> client.post("any-token"));
            assertEquals(failed + 1, fetches("failure"));
        }
    }

    @Test
    void lockOfAPinIsCountedOnce(PinRealm realm) {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = realm.reachTheCap(browser, person);
        realm.give(browser, page, PinRealm.PIN);
        assertEquals(1, meters.sum("checktoken_pins_locked_total{realm=\"" + name(realm.url()) + "\"}"));
    }

    @Test
    void mailsWithACodeAreCounted(KeycloakServer server, EmailCodeRealm realm, MailServer mailServer) {
        String meter = "checktoken_code_mails_seconds_count{outcome=\"%s\",realm=\"" + name(realm.url()) + "\"}";
        realm.settings(Map.of());
        realm.signIn(new Browser(server), realm.person());
        assertEquals(1, meters.sum(meter.formatted("success")));
        assertEquals(0, meters.sum(meter.formatted("failure")));

        realm.mailServer(mailServer.settingsOfNone());
        try {
            realm.signIn(new Browser(server), realm.person());
        } finally {
            realm.mailServer(mailServer.settings());
        }
        assertEquals(1, meters.sum(meter.formatted("failure")));
    }

    @Test
    void metersNameNeitherClientNorPerson() {
        activeAnswersAreCounted();
        List<String> ours =
                meters.lines().filter(line -> line.startsWith("checktoken_")).toList();
        String timers =
                "(answers|key_fetches|code_mails)_seconds(_count|_sum|_max)\\{outcome=\"[a-z_]+\",realm=\"[A-Za-z0-9 -]+\"}";
        String counters =
                "(logins_(refused|busy)|pins_locked|(amr|claims)_omitted)_total\\{realm=\"[A-Za-z0-9 -]+\"(,reason=\"[a-z_]+\")?}";
        assertAll(ours.stream()
                .map(line -> () -> assertTrue(line.matches("checktoken_(" + timers + "|" + counters + ") .*"), line)));
    }

    @Test
    void spanAroundTheAnswerSaysWhereAndWithWhatOutcomeAndNoMore() {
        Tokens tokens = federation.town().signIn("camille", "openid");
        String token = tokens.accessToken();
        String person = tokens.accessClaims().get("sub").asText();
        String traceId = UUID.randomUUID().toString().replace("-", "");
        HttpResponse<String> answer = Http.send(Http.form(
                        federation.tax().url(),
                        Map.of("client_id", "dp-tax", "client_secret", "dp-tax-demo-secret", "token", token))
                .header("traceparent", "00-" + traceId + "-" + CALLERS_SPAN + "-01"));
        assertEquals(200, answer.statusCode());

        List<Span> trace = traces.trace(traceId, CALLERS_SPAN);

        Span ours = trace.stream()
                .filter(span -> span.getName().equals("checktoken.answer"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                Map.of("kc.realmName", federation.realm(), "checktoken.outcome", "active"),
                ours.getAttributesList().stream()
                        .filter(attribute -> !attribute.getKey().startsWith("thread."))
                        .collect(Collectors.toMap(
                                attribute -> attribute.getKey(),
                                attribute -> attribute.getValue().getStringValue())));
        assertTrue(ours.getEndTimeUnixNano() > ours.getStartTimeUnixNano());
        assertTrue(trace.stream().noneMatch(span -> span.toString().contains(token)));
        // Keycloak adds each event to the trace, even if the realm does not save it.
        assertEquals(
                List.of(person),
                trace.stream()
                        .flatMap(span -> span.getEventsList().stream())
                        .filter(event -> event.getName().equals("INTROSPECT_TOKEN"))
                        .flatMap(event -> event.getAttributesList().stream())
                        .filter(attribute -> attribute.getKey().equals("kc.userId"))
                        .map(attribute -> attribute.getValue().getStringValue())
                        .toList());
    }

    private void assertCounts(String outcome, Runnable call) {
        double before = answers(outcome);
        call.run();
        assertEquals(before + 1, answers(outcome));
    }

    private double answers(String outcome) {
        return count("checktoken_answers_seconds_count", outcome);
    }

    private double fetches(String outcome) {
        return count("checktoken_key_fetches_seconds_count", outcome);
    }

    private double count(String meter, String outcome) {
        return meters.sum(meter + "{outcome=\"" + outcome + "\",realm=\"" + federation.realm() + "\"}");
    }

    private static String name(String realmUrl) {
        return realmUrl.substring(realmUrl.lastIndexOf('/') + 1);
    }
}
