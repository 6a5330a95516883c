package io.github.checktoken.introspection.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.keycloak.models.KeycloakSession;
import org.keycloak.tracing.TracingAttributes;
import org.keycloak.tracing.TracingProvider;

import io.github.checktoken.telemetry.CheckTokenTimer;
import io.micrometer.core.instrument.Tags;
import io.opentelemetry.api.trace.Span;

/**
 * Measures one call of the introspection endpoint for meters and traces: its realm, its duration and its outcome.
 *
 * <p>Its span is not made the current span, because Keycloak writes the client, the session and the token's id into the
 * current one. The request's span stays current and gets these values, as at Keycloak's own endpoint.
 */
final class IntrospectionObservation {

    private static final String NAME = "checktoken.answer";
    private static final String OUTCOME = "checktoken.outcome";

    private final String realm;
    private final Span span;
    private final long begin = System.nanoTime();

    /** Begins the measurement. */
    IntrospectionObservation(KeycloakSession session) {
        realm = session.getContext().getRealm().getName();
        span = session.getProvider(TracingProvider.class)
                .getTracer(IntrospectionObservation.class.getName())
                .spanBuilder(NAME)
                .setAttribute(TracingAttributes.REALM_NAME, realm)
                .startSpan();
    }

    /**
     * @param client the meter's label for the caller; empty if the meter has none
     * @param outcome {@code active}, {@code inactive}, or the {@code error} that the caller gets
     * @param outcomes all that there are, for the meters of a realm's first call
     */
    public void end(Optional<String> client, String outcome, List<String> outcomes) {
        Tags labels =
                client.map(name -> Tags.of("realm", realm, "client", name)).orElseGet(() -> Tags.of("realm", realm));
        CheckTokenTimer.ANSWERS.record(labels, outcome, outcomes, Duration.ofNanos(System.nanoTime() - begin));
        span.setAttribute(OUTCOME, outcome).end();
    }
}
