package io.github.checktoken.introspection;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.telemetry.AnswerObservation;
import org.jboss.logging.Logger;

/**
 * {@code POST checktoken}: a data provider posts an access token and gets an RFC 9701 answer. What goes wrong goes to
 * the Keycloak event with its reason, and to the caller as a {@link CheckTokenError}.
 */
public final class CheckTokenEndpoint {

    /** RFC 9701 section 5. */
    static final String CONTENT_TYPE = "application/token-introspection+jwt";

    private static final Logger logger = Logger.getLogger(CheckTokenEndpoint.class);

    private final KeycloakSession session;

    public CheckTokenEndpoint(KeycloakSession session) {
        this.session = session;
    }

    @POST
    public Response post() {
        EventBuilder event = new EventBuilder(
                        session.getContext().getRealm(),
                        session,
                        session.getContext().getConnection())
                .event(EventType.INTROSPECT_TOKEN);
        AnswerObservation observation = AnswerObservation.start(session);
        String outcome = CheckTokenError.SERVER_ERROR.code();
        try {
            String answer = new CheckTokenAnswer(session, event).make();
            outcome = event.getEvent().getError() == null ? "active" : "inactive";
            return Response.ok(answer, CONTENT_TYPE)
                    .header(HttpHeaders.CACHE_CONTROL, "no-store")
                    .build();
        } catch (CheckTokenException e) {
            logger.debugf("checktoken: %s", e.getMessage());
            recordUnlessRecorded(event, e.error(), e.getMessage());
            outcome = e.error().code();
            return e.response();
        } catch (RuntimeException e) {
            // A mapper's, a key's or the database's. Keycloak rolls back, logs it, and answers.
            recordUnlessRecorded(
                    event, CheckTokenError.SERVER_ERROR, e.getClass().getName());
            throw e;
        } finally {
            // Also on an Error: a method that this Keycloak lacks is what operators look for.
            observation.end(outcome);
        }
    }

    /** Keycloak's client authenticators and token checks have recorded their own failure already. */
    private static void recordUnlessRecorded(EventBuilder event, CheckTokenError error, String reason) {
        if (event.getEvent().getError() == null) {
            event.detail(Details.REASON, reason);
            event.error(error.event());
        }
    }

    @GET
    public Response get() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }

    @HEAD
    public Response head() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }

    @PUT
    public Response put() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }

    @PATCH
    public Response patch() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }

    @DELETE
    public Response delete() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }

    @OPTIONS
    public Response options() {
        return CheckTokenError.METHOD_NOT_ALLOWED.response();
    }
}
