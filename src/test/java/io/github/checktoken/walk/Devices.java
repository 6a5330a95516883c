package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.Request;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.oracle.Login;

/** Devices without a browser that wait for the approval of somebody who signs in here (RFC 8628). */
final class Devices {

    private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";

    private final Walk walk;
    private final List<Device> waiting = new ArrayList<>();

    private static final class Device {

        private final String client;
        private final String code;
        private Login login;
        private IssuedCode approval;

        Device(String client, String code) {
            this.client = client;
            this.code = code;
        }
    }

    Devices(Walk walk) {
        this.walk = walk;
    }

    boolean areWaiting() {
        return !waiting.isEmpty();
    }

    /** A device asks for a code, and somebody opens the address that it shows. */
    void open() {
        String client = walk.habits().client(walk);
        HttpResponse<String> response =
                walk.realm().client(client).post("/protocol/openid-connect/auth/device", Map.of("scope", "openid"));
        walk.say("opens the page for a device of " + client);
        if (response.statusCode() != 200) {
            walk.say("    " + response.body());
            return;
        }
        JsonNode answer = Http.json(response);
        Device device = new Device(client, answer.get("device_code").asText());
        waiting.add(device);
        walk.tab().login(walk.navigation().newLogin());
        walk.open(answer.get("verification_uri_complete").asText());
        device.login = walk.tab().login();
    }

    /** Notes who has proved what when a device was approved. Keycloak 26.5 may go on with its login in another one. */
    void arrivedAt(Page page, Login login) {
        if (page.url().contains("/device/status")) {
            List<Device> open =
                    waiting.stream().filter(device -> device.approval == null).toList();
            List<Device> ofThisLogin = open.stream()
                    .filter(device -> device.login == null || device.login == login)
                    .toList();
            (ofThisLogin.isEmpty() ? open : ofThisLogin).forEach(device -> device.approval = approval(device, login));
        }
    }

    /** A device asks for its tokens. */
    void poll() {
        Device device = walk.pick(waiting);
        walk.say("a device of " + device.client + " asks for its tokens");
        HttpResponse<String> response = walk.realm()
                .client(device.client)
                .post("/protocol/openid-connect/token", Map.of("grant_type", GRANT, "device_code", device.code));
        if (response.statusCode() == 200) {
            waiting.remove(device);
            IssuedCode issue = device.approval == null ? approval(device, device.login) : device.approval;
            walk.answers().read(issue, "a device's code", response);
        } else {
            walk.say("    " + Http.json(response.body()).path("error").asText());
        }
    }

    private IssuedCode approval(Device device, Login login) {
        return walk.oracle().approved(new Request(0, device.client, false), login);
    }
}
