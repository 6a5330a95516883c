package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.representations.idm.OAuth2ErrorRepresentation;

import io.github.checktoken.keycloak.ErrorBody;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Another extension's filter may already have set {@code Cache-Control} on each response, or removed it. */
class CheckTokenResponseFilterTest {

    private final MultivaluedMap<String, Object> headers = new MultivaluedHashMap<>();

    @Test
    void errorOfKeycloakIsReplacedEvenIfItHasCacheControl() {
        headers.putSingle("Cache-Control", "max-age=60");
        assertFalse(isKept(413, new OAuth2ErrorRepresentation("unknown_error", null)));
        assertFalse(isKept(500, null));
    }

    @Test
    void ourErrorIsKeptEvenIfItHasNoCacheControl() {
        assertTrue(isKept(400, new ErrorBody("invalid_request", "Only POST is supported.")));
    }

    @Test
    void answersAndUnknownRealmsAreKept() {
        assertTrue(isKept(200, new byte[0]));
        assertTrue(isKept(404, new OAuth2ErrorRepresentation("Realm does not exist", null)));
    }

    private boolean isKept(int status, Object entity) {
        return CheckTokenResponseFilter.isKept(
                Fake.of(ContainerResponseContext.class, (method, arguments) -> switch (method) {
                    case "getStatus" -> status;
                    case "getEntity" -> entity;
                    case "getHeaders" -> headers;
                    default -> throw new UnsupportedOperationException(method);
                }));
    }
}
