package io.github.checktoken.introspection.notice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.MailServer.Mail;
import io.github.checktoken.support.server.Meters;
import io.github.checktoken.support.server.NativeCrypto;
import io.github.checktoken.support.server.TestAuthority;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The second server of the tests looks every second for what to tell, and tells the first failure of a load. */
@ExtendWith(KeycloakExtension.class)
@NativeCrypto
class NoticesIT {

    private static final RSAKey KEY = key();

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final TestAuthority authority;
    private final FreshRealm realm;
    private final String address = "contact-" + UUID.randomUUID() + "@dp.example.org";

    NoticesIT(KeycloakServer server, MailServer mailServer, TestAuthority authority) {
        this.server = server;
        this.authority = authority;
        this.mailServer = mailServer;
        this.realm = new FreshRealm(server);
        realm.admin().update("", json -> {
            json.put("displayName", "Portail")
                    .put("internationalizationEnabled", true)
                    .put("defaultLocale", "fr");
            json.putArray("supportedLocales").add("en").add("fr");
            json.put("eventsEnabled", true).putArray("enabledEventTypes").add("INTROSPECT_TOKEN_ERROR");
            json.set("smtpServer", Http.JSON.valueToTree(mailServer.settings()));
        });
        LogSearch.add("contact address", address);
    }

    @Test
    void keyThatCannotBeRenewedIsToldOnceInTheLanguageOfTheRealm() {
        try (JwksServer host = new JwksServer(server)) {
            host.behave(JwksServer.body(500, "text/plain", "down"));
            DataProviderClient client = dataProvider()
                    .jwksUrl(host.url())
                    .setting("contact.address", address)
                    .create();
            assertEquals(503, client.post("any-token").statusCode());

            Waiting.until(() -> mailServer.count(address) > 0);
            Mail mail = mailServer.mailsTo(address).get(0);
            assertEquals(
                    "La clé de chiffrement de " + client.clientId() + " ne peut pas être renouvelée", mail.subject());
            String concern =
                    "Ce message concerne le fournisseur de données " + client.clientId() + " auprès de Portail.";
            assertTrue(mail.text().contains(concern), mail.text());
            assertTrue(mail.text().contains("Dernier essai (en anglais) : status 500."), mail.text());
            assertTrue(mail.html().contains("<p>" + concern + "</p>"), mail.html());

            DataProviderClient another = dataProvider().jwksUrl(host.url()).create();
            another.post("any-token");
            Waiting.until(() -> meter("key_not_renewed") == 2);
            assertNotice("key_not_renewed", "status 500", client);
            assertNotice("key_not_renewed", "status 500", another);
            assertEquals(1, mailServer.count(address));
            assertTrue(
                    mailServer.mails().stream().noneMatch(sent -> sent.subject().contains(another.clientId())));
        }
    }

    @Test
    void mailThatCannotBeSentIsSentLaterAndTheEventIsNotRepeated() {
        Instant expiry = Instant.now().plus(Duration.ofDays(10));
        realm.admin().post("/localization/fr", Map.of("dpWater", "Régie de l''eau"));
        DataProviderClient client = dataProvider()
                .with("name", "${dpWater}")
                .attribute("client.secret.expiration.time", "" + expiry.getEpochSecond())
                .setting("contact.address", address)
                .create();
        mailServer.stop();
        try {
            assertEquals(200, client.post("any-token").statusCode());
            Waiting.until(() ->
                    log().contains("No notice could be mailed in realm " + realm.name() + ": check Realm settings"));
        } finally {
            mailServer.start();
        }

        Waiting.until(() -> mailServer.count(address) > 0);
        Mail mail = mailServer.mailsTo(address).get(0);
        String day = expiry.toString().substring(0, 10);
        assertEquals("Le secret de Régie de l'eau expire bientôt", mail.subject());
        assertTrue(mail.text().contains("Votre secret client expire le " + day + " (UTC)."), mail.text());
        Waiting.until(() -> meter("secret_expires") == 1);
        assertNotice("secret_expires", day, client);
    }

    /** The answers go on: the data provider would otherwise learn of it by a failure. */
    @Test
    void privateKeyInTheSetIsTold() {
        try (JwksServer host = new JwksServer(server)) {
            host.serve("{\"keys\":[" + KEY + "]}");
            DataProviderClient client = dataProvider()
                    .with("name", "Régie")
                    .jwksUrl(host.url())
                    .setting("contact.address", address)
                    .create();
            assertEquals(200, client.post("any-token").statusCode());
            // Saving the client makes this node load the set again.
            realm.admin().update(realm.admin().client(client.clientId()), json -> json.put("description", "saved"));
            assertEquals(200, client.post("any-token").statusCode());
            assertEquals(2, host.fetches());

            Waiting.until(() -> mailServer.count(address) > 0);
            Mail mail = mailServer.mailsTo(address).get(0);
            assertEquals("La clé privée de Régie est publique", mail.subject());
            assertTrue(mail.text().contains("Les membres privés, par clé : 1: d, p, q, dp, dq, qi."), mail.text());
            Waiting.until(() -> meter("private_key_published") == 1);
            assertNotice("private_key_published", "1: d, p, q, dp, dq, qi", client);
            JsonNode status = realm.admin().dataProvider(client.clientId());
            assertTrue(status.get("problemNames").toString().contains("\"privateKey\""), status::toString);
            assertTrue(status.get("problems").toString().contains("1: d, p, q, dp, dq, qi"), status::toString);
            String line =
                    "The JWKS of data provider '" + client.clientId() + "' has a private key (1: d, p, q, dp, dq, qi)";
            assertEquals(1, log().lines().filter(one -> one.contains(line)).count());
        }
    }

    @Test
    void privateKeyIsRefusedWhenAClientIsRegisteredOrSaved() {
        String reason = "the JWKS has a private key (2: d, p, q, dp, dq, qi)";
        String jwks = "{\"keys\":[" + KEY.toPublicJWK() + "," + KEY + "]}";
        AssertionError refusal = assertThrows(
                AssertionError.class, () -> dataProvider().jwks(jwks).create());
        assertTrue(
                refusal.getMessage().startsWith("400 ") && refusal.getMessage().contains(reason), refusal::toString);

        String path = realm.admin().client(dataProvider().create().clientId());
        ObjectNode changed = realm.admin().get(path).deepCopy();
        changed.withObject("/attributes").put("jwks.string", jwks);
        HttpResponse<String> response = realm.admin().send("PUT", path, changed);
        assertEquals(400, response.statusCode());
        assertTrue(response.body().contains(reason), response::body);
    }

    @Test
    void certificateThatExpiresSoonIsTold() {
        String subject = "CN=" + UUID.randomUUID();
        DataProviderClient client = dataProvider()
                .with("name", "Registre d'état civil")
                .with("clientAuthenticatorType", "client-x509")
                .attribute("x509.subjectdn", subject)
                .attribute("x509.allow.regex.pattern.comparison", "false")
                .attribute("x509.casubjectdn", TestAuthority.SUBJECT)
                .setting("contact.address", address)
                .create();
        String url = server.secureUrl() + "/realms/" + realm.name() + "/api/v2/checktoken";
        Map<String, String> form = Map.of("client_id", client.clientId(), "token", "any-token");
        assertEquals(
                200,
                Http.send(authority.client(subject, 10), Http.form(url, form)).statusCode());

        Waiting.until(() -> mailServer.count(address) > 0);
        Mail mail = mailServer.mailsTo(address).get(0);
        String day = Instant.now().plus(Duration.ofDays(10)).toString().substring(0, 10);
        assertEquals("Le certificat de Registre d'état civil expire bientôt", mail.subject());
        String concern = "le fournisseur de données Registre d'état civil (" + client.clientId() + ") auprès de";
        assertTrue(mail.text().contains(concern), mail.text());
        assertTrue(mail.text().contains("expire le " + day + " (UTC)."), mail.text());
        Waiting.until(() -> meter("certificate_expires") == 1);
        assertNotice("certificate_expires", day, client);
    }

    private NewDataProvider dataProvider() {
        return new NewDataProvider(realm.admin(), server.realmUrl(realm.name()).toString(), KEY).defaultScopes();
    }

    private void assertNotice(String error, String reason, DataProviderClient client) {
        JsonNode events = realm.admin().get("/events?client=" + client.clientId());
        int notices = 0;
        for (JsonNode event : events) {
            if (event.path("error").asText().equals(error)) {
                notices++;
                assertEquals("INTROSPECT_TOKEN_ERROR", event.path("type").asText());
                assertEquals(reason, event.path("details").path("reason").asText());
            }
        }
        assertEquals(1, notices, events::toString);
    }

    private double meter(String reason) {
        return new Meters(server).sum("checktoken_notices{realm=\"%s\",reason=\"%s\"}".formatted(realm.name(), reason));
    }

    private String log() {
        try {
            return Files.readString(server.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
