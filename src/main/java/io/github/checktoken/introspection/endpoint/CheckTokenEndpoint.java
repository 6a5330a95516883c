package io.github.checktoken.introspection.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.outage.DatabaseOutage;
import io.github.checktoken.introspection.secretguess.SecretGuessLimit;
import io.github.checktoken.telemetry.ClientLabel;
import org.jboss.logging.Logger;

/**
 * {@code POST checktoken}: a data provider posts an access token and gets an RFC 9701 answer. If a call fails, the
 * reason goes to the Keycloak event, and the caller gets a {@link CheckTokenError}.
 */
public final class CheckTokenEndpoint {

    /** RFC 9701 section 5. */
    private static final MediaType CONTENT_TYPE = new MediaType("application", "token-introspection+jwt");

    private static final String ACTIVE = "active";
    private static final String INACTIVE = "inactive";

    /** All outcomes of a call, for meters. */
    private static final List<String> OUTCOMES = Stream.concat(
                    Stream.of(ACTIVE, INACTIVE, DatabaseOutage.ERROR),
                    Stream.of(CheckTokenError.values()).map(CheckTokenError::code))
            .distinct()
            .toList();

    private static final Logger logger = Logger.getLogger(CheckTokenEndpoint.class);

    private final KeycloakSession session;
    private final SecretGuessLimit guessLimit;
    private final ClientLabel clientLabel;

    public CheckTokenEndpoint(KeycloakSession session, SecretGuessLimit guessLimit, ClientLabel clientLabel) {
        this.session = session;
        this.guessLimit = guessLimit;
        this.clientLabel = clientLabel;
    }

    @POST
    public Response post() {
        CheckTokenEventBuilder event = new CheckTokenEventBuilder(session);
        IntrospectionObservation observation = new IntrospectionObservation(session);
        String outcome = CheckTokenError.SERVER_ERROR.code();
        try {
            Result result = DatabaseOutage.guard(
                    session, () -> respond(event), response -> new Result(DatabaseOutage.ERROR, response));
            outcome = result.outcome();
            return result.response();
        } catch (RuntimeException e) {
            // A mapper or a key failed. Keycloak rolls back, logs the exception and answers.
            event.errorUnlessRecorded(CheckTokenError.SERVER_ERROR, e.getClass().getName());
            throw e;
        } finally {
            // Also runs after an Error: operators must see calls that fail because this Keycloak lacks a method.
            observation.end(clientLabel.of(event.dataProvider()), outcome, OUTCOMES);
        }
    }

    private Result respond(CheckTokenEventBuilder event) {
        Result result = answer(event);
        event.rethrowDatabaseFailure();
        return result;
    }

    private Result answer(CheckTokenEventBuilder event) {
        try {
            String answer = new IntrospectionResponseBuilder(session, event, guessLimit).build();
            return new Result(
                    event.isRejected() ? INACTIVE : ACTIVE,
                    Response.ok(answer.getBytes(StandardCharsets.US_ASCII), CONTENT_TYPE)
                            .header(HttpHeaders.CACHE_CONTROL, "no-store")
                            .build());
        } catch (CheckTokenException e) {
            logger.debugf("checktoken: %s", e.getMessage());
            event.errorUnlessRecorded(e.error(), e.getMessage());
            return new Result(e.error().code(), e.response());
        }
    }

    /** @param outcome {@code active}, {@code inactive} or the error code, for meters and traces */
    private record Result(String outcome, Response response) {}

    /** Also for HEAD. JAX-RS itself rejects other methods, and {@link CheckTokenResponseFilter} says so in JSON. */
    @GET
    public Response get() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }

    /** JAX-RS would answer it by itself, with the methods that there are. */
    @OPTIONS
    public Response options() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }
}
