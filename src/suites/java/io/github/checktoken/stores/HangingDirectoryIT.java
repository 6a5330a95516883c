package io.github.checktoken.stores;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What callers get while a directory answers nothing. {@link DirectoryIT} measures what others notice of it. */
@Tag("stores")
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HangingDirectoryIT {

    private static final String PERSON = "lou";

    private final Federation federation;
    private final DirectoryServer directory = new DirectoryServer(List.of(PERSON));

    HangingDirectoryIT(Federation federation) throws IOException {
        this.federation = federation;
    }

    @AfterAll
    void stop() {
        directory.close();
    }

    @ParameterizedTest
    @EnumSource
    void directoryThatHangsIsAFailureAndNotAnAnswer(DirectoryMode mode) throws IOException {
        try (LdapProvider provider = mode.of(directory, federation.admin(), Map.of())) {
            DataProviderClient tax = federation.tax();
            String token =
                    federation.town().signIn(PERSON, Federation.ALL_SCOPES).accessToken();
            Map<String, Object> before = tax.check(token).introspection();
            assertEquals(true, before.get("active"));

            directory.suspend();
            try {
                HttpResponse<String> response = tax.post(token);
                assertEquals(503, response.statusCode(), response.body());
                assertEquals(
                        "temporarily_unavailable",
                        Http.json(response.body()).path("error").asText());
                assertTrue(response.headers().firstValue("Retry-After").isPresent());
            } finally {
                directory.resume();
            }
            assertEquals(before, tax.check(token).introspection());
        }
    }
}
