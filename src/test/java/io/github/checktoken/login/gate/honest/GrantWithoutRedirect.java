package io.github.checktoken.login.gate.honest;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;

/** The grants in which no browser brings the answer to the client. */
final class GrantWithoutRedirect {

    private static final String DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

    private final ServiceProvider client;

    GrantWithoutRedirect(HonestRealm realm, String clientId) {
        this.client = realm.client(clientId);
    }

    /** Who presses twice asks twice at the same moment. */
    Tokens password(HonestPerson person, Habit habit) {
        Map<String, String> parameters = Map.of(
                "grant_type", "password", "scope", "openid", "username", person.name(), "password", person.password());
        Supplier<Tokens> grant = () -> client.token(parameters);
        List<Tokens> all = habit == Habit.ONCE ? List.of(grant.get()) : HonestBrowser.atOnce(grant, grant);
        return all.get(all.size() - 1);
    }

    /** @param tab where the person approves the device */
    Tokens device(HonestTab tab) {
        JsonNode begun = Http.json(client.post("/protocol/openid-connect/auth/device", Map.of("scope", "openid")));
        tab.open(begun.get("verification_uri_complete").asText());
        tab.answerAll();
        String code = begun.get("device_code").asText();
        try {
            return client.token(Map.of("grant_type", DEVICE_CODE, "device_code", code));
        } catch (AssertionError e) {
            throw new AssertionError("the device has no tokens after " + tab.seen(), e);
        }
    }
}
