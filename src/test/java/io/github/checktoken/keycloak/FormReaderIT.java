package io.github.checktoken.keycloak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.github.checktoken.support.client.RawHttp;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * {@code CheckTokenResponseFilter} relies on how Keycloak answers a body that its form reader does not read. The tests
 * check this on Keycloak's own introspection endpoint. On our path that filter turns these answers into the format of
 * RFC 6749.
 */
@ExtendWith(KeycloakExtension.class)
class FormReaderIT {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int LARGEST_PARAMETER = 131_072;
    private static final int MOST_PARAMETERS = 1_000;

    private final Federation federation;

    FormReaderIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void parameterThatCannotBeDecodedIsAServerError() throws IOException {
        assertEquals(500, status(FORM, "token=%zz"));
    }

    @Test
    void tooManyParametersAreAServerError() throws IOException {
        assertEquals(500, status(FORM, "x=1&".repeat(MOST_PARAMETERS) + "token=x"));
    }

    @Test
    void parameterThatIsTooLongIsTooLarge() throws IOException {
        assertEquals(413, status(FORM, "token=" + "x".repeat(LARGEST_PARAMETER + 1)));
    }

    @Test
    void bodyOfAnotherTypeIsNotRead() throws IOException {
        assertEquals(401, status("application/json", "{}"));
    }

    private int status(String contentType, String body) throws IOException {
        String path = federation.server().realmUrl(federation.realm()).getPath()
                + "/protocol/openid-connect/token/introspect";
        String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + contentType
                + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n";
        return new RawHttp(federation.server().baseUrl())
                .sendLast(head, body.getBytes(StandardCharsets.US_ASCII))
                .status();
    }
}
