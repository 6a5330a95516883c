package io.github.checktoken.database;

import java.util.regex.Pattern;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.error.KeycloakErrorHandler;

import io.github.checktoken.keycloak.ErrorBody;

/**
 * Answers 503 on this project's paths while the database is unavailable; Keycloak would answer 500 and log a stack
 * trace for each call. It is an exception mapper, because the database can fail before our resources are called and
 * after they have answered. It is also a request filter, which rejects calls that need the database while it hangs. On
 * other paths, and for every other failure, Keycloak's own handler answers.
 */
@Provider
@PreMatching
public final class DatabaseOutageHandler implements ContainerRequestFilter, ExceptionMapper<RuntimeException> {

    /** The member {@code error} of the answer. */
    public static final String ERROR = "temporarily_unavailable";

    /**
     * These paths are defined in ApiResource, CheckTokenResourceProviderFactory and AdminResourceProviderFactory:
     * change them together. Redirect and metadata are not included, because for a realm in Keycloak's cache they need
     * no database.
     */
    private static final Pattern NEEDS_DATABASE =
            Pattern.compile("/?(realms/[^/]+/(api/v2/)?|admin/realms/[^/]+/)checktoken(/.*)?");

    private static final Pattern OUR_PATHS =
            Pattern.compile("/?(realms/[^/]+/(api|checktoken)|admin/realms/[^/]+/checktoken)(/.*)?");

    private static final int RETRY_AFTER_SECONDS = 5;

    private final DatabaseOutageMonitor outage = new DatabaseOutageMonitor();

    @Context
    KeycloakSession session;

    @Override
    public void filter(ContainerRequestContext request) {
        if (outage.isHanging()
                && NEEDS_DATABASE.matcher(request.getUriInfo().getPath()).matches()) {
            request.abortWith(response());
        }
    }

    @Override
    public Response toResponse(RuntimeException failure) {
        Throwable cause = DatabaseFailure.of(failure);
        if (cause == null
                || !OUR_PATHS.matcher(session.getContext().getUri().getPath()).matches()) {
            return KeycloakErrorHandler.getResponse(session, failure);
        }
        session.getTransactionManager().setRollbackOnly();
        outage.suspect(cause, session.getKeycloakSessionFactory());
        return response();
    }

    private static Response response() {
        return Response.status(Response.Status.SERVICE_UNAVAILABLE)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .entity(new ErrorBody(ERROR, "The database cannot be reached."))
                .build();
    }
}
