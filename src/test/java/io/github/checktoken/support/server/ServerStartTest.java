package io.github.checktoken.support.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ServerStartTest {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    private Process process;

    @AfterEach
    void stop() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Test
    void serverThatListensHasStarted() throws IOException, InterruptedException {
        ServerStart start = start("sleep 600", LONG, LONG);
        assertTrue(start.take("Listening on: http://127.0.0.1:8080"));
        assertEquals(Optional.empty(), start.await());
    }

    @Test
    void serverThatEndsIsToldWithItsStatus() throws IOException, InterruptedException {
        ServerStart start = start("exit 3", LONG, LONG);
        start.take("Port 8080 is in use");
        assertBegins("Keycloak ended by itself, with status 3, before it was ready.\n", start);
        assertFalse(start.take("The database is closed"), "what comes after the failure is its result");
    }

    @Test
    void serverThatDoesNothingIsGivenUp() throws IOException, InterruptedException {
        assertBegins("Keycloak did nothing for 1 seconds", start("sleep 600", SHORT, LONG));
    }

    @Test
    void serverAtWorkIsWaitedForUpToTheLimitAndTheSettingIsNamed() throws IOException, InterruptedException {
        ServerStart start = start("while :; do :; done", Duration.ofSeconds(2), Duration.ofSeconds(3));
        start.take("Importing from directory");
        String failure = assertBegins("Keycloak was not ready after 3 seconds", start);
        assertTrue(failure.contains("-Dkeycloak.start.minutes=2"), failure);
        assertTrue(failure.endsWith("\nImporting from directory"), failure);
    }

    private static String assertBegins(String words, ServerStart start) throws InterruptedException {
        String failure = start.await().orElseThrow();
        assertTrue(failure.startsWith(words), failure);
        return failure;
    }

    private ServerStart start(String command, Duration still, Duration limit) throws IOException {
        process = new ProcessBuilder("sh", "-c", command).start();
        return new ServerStart(process, Path.of("keycloak.log"), still, limit);
    }
}
