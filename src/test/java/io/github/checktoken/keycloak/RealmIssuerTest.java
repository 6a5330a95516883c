package io.github.checktoken.keycloak;

import java.net.URI;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Only names and addresses that need no encoding. {@code ServicePathsIT} has others. */
class RealmIssuerTest {

    @ParameterizedTest
    @CsvSource({
        "https://id.example.org/, federation, https://id.example.org/realms/federation",
        "https://id.example.org/auth/, a~b_c.d-1, https://id.example.org/auth/realms/a~b_c.d-1",
    })
    void issuerIsBelowTheBase(String base, String realm, String url) {
        assertEquals(url, RealmIssuer.of(URI.create(base), realm));
    }
}
