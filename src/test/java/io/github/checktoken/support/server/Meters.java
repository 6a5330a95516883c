package io.github.checktoken.support.server;

import java.util.stream.Stream;

import io.github.checktoken.support.client.Http;

/** What operators read at the server's metrics endpoint. */
public record Meters(KeycloakServer server) {

    public Stream<String> lines() {
        return Http.send(Http.request(server.managementUrl() + "/metrics"))
                .body()
                .lines();
    }

    /** @param meter its name and labels as in the metrics, or how they begin */
    public double sum(String meter) {
        return lines().filter(line -> line.startsWith(meter))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
                .sum();
    }
}
