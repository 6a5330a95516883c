package io.github.checktoken.chaos;

import java.net.http.HttpResponse;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.github.checktoken.support.client.AnswerMembers;
import io.github.checktoken.support.client.Http;

/** Decides whether an answer is right, or an error that is documented and has a cause. */
final class Judge {

    private static final Set<String> INACTIVE = Set.of("active");

    private final ServerClock clock;
    private final Outages outages;
    private final Report report;
    private final JWKSet realmKeys;

    Judge(ServerClock clock, Outages outages, Report report, JWKSet realmKeys) {
        this.clock = clock;
        this.outages = outages;
        this.report = report;
        this.realmKeys = realmKeys;
    }

    /** A call as it was made. */
    record Call(String what, Provider provider, Set<Neighbour> needs, long asked) {}

    /** @param signedIn whose token it is; null for a token that nobody issued */
    void token(Call call, SignedIn signedIn, HttpResponse<String> response) {
        long answered = System.nanoTime();
        if (response.statusCode() != 200) {
            error(call, response.statusCode(), response.body(), hasRetryAfter(response));
            return;
        }
        call.provider().keyIsKnown();
        try {
            Map<String, Object> answer = verified(call.provider(), response.body());
            String wrong = signedIn == null ? wrongUnlessInactive(answer) : wrong(call, signedIn, answer, answered);
            if (wrong != null) {
                report.violation(
                        call.what() + ": wrong answer", call.provider().client().clientId() + ": " + wrong);
            } else {
                report.outcome(call.what(), "active " + answer.get("active"), List.of());
            }
        } catch (ParseException | JOSEException | AssertionError e) {
            report.violation(call.what() + ": unreadable", "" + e);
        }
    }

    /** A call with a wrong secret. */
    void refusal(Call call, HttpResponse<String> response) {
        refusal(call, response.statusCode(), response.body(), hasRetryAfter(response));
    }

    void refusal(Call call, int status, String body, boolean retryAfter) {
        if (status == 401 && Http.json(body).path("error").asText().equals("invalid_client")) {
            report.outcome(call.what(), "401", List.of());
        } else {
            error(call, status, body, retryAfter);
        }
    }

    private static boolean hasRetryAfter(HttpResponse<String> response) {
        return response.headers().firstValue("Retry-After").isPresent();
    }

    /** A call that did not get 200: only 503 is right, as long as what it needs is broken. */
    void error(Call call, int status, String body, boolean retryAfter) {
        List<Outage> causes = outages.causes(call.needs(), call.asked());
        boolean ofKeys = causes.stream().anyMatch(cause -> cause.neighbour().isHostOfKeys());
        boolean documented = status == 503
                && body.startsWith("{")
                && Http.json(body).path("error").asText().equals("temporarily_unavailable")
                && (retryAfter || ofKeys);
        if (!documented || causes.isEmpty()) {
            report.violation(
                    "%s: %d without a cause".formatted(call.what(), status),
                    "%s: %s, broken: %s".formatted(call.provider().client().clientId(), body, outages.recent()));
        } else {
            Outages.blame(causes, call.asked());
            report.outcome(call.what(), "" + status, causes);
        }
    }

    /**
     * Keycloak's own endpoint for the same token. In about one of 300 logouts, Keycloak says 204, but if calls about the
     * token were made at that moment, the session goes on.
     */
    private static boolean isActiveForKeycloak(Call call, SignedIn signedIn) {
        String url = call.provider().client().url().replace("/api/v2/checktoken", "/protocol/openid-connect/userinfo");
        return Http.send(Http.request(url)
                                .header(
                                        "Authorization",
                                        "Bearer " + signedIn.tokens().accessToken()))
                        .statusCode()
                == 200;
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> verified(Provider provider, String jwe) throws ParseException, JOSEException {
        JWSObject signed = JWSObject.parse(provider.client().decrypt(jwe));
        AsymmetricJWK key =
                (AsymmetricJWK) realmKeys.getKeyByKeyId(signed.getHeader().getKeyID());
        if (!signed.verify(new DefaultJWSVerifierFactory().createJWSVerifier(signed.getHeader(), key.toPublicKey()))) {
            throw new AssertionError("wrong signature");
        }
        Map<String, Object> payload = signed.getPayload().toJSONObject();
        AnswerMembers.check(payload);
        if (!payload.get("aud").equals(provider.client().clientId())) {
            throw new AssertionError("for " + payload.get("aud"));
        }
        return (Map<String, Object>) payload.get("token_introspection");
    }

    private static String wrongUnlessInactive(Map<String, Object> answer) {
        return answer.keySet().equals(INACTIVE) && Boolean.FALSE.equals(answer.get("active")) ? null : "" + answer;
    }

    private String wrong(Call call, SignedIn signedIn, Map<String, Object> answer, long answered) {
        boolean active = Boolean.TRUE.equals(answer.get("active"));
        if (active && signedIn.mustBeInactive(clock, call.asked(), answered)) {
            if (!isActiveForKeycloak(call, signedIn)) {
                return "active, although it has ended or expired: " + signedIn.describe(answered) + ", broken: "
                        + outages.recent();
            }
            report.outcome(call.what(), "active after a logout, also for Keycloak", List.of());
        }
        if (!active) {
            return signedIn.mustBeActive(clock, answered)
                    ? "not active, broken: " + outages.recent()
                    : wrongUnlessInactive(answer);
        }
        JsonNode claims = signedIn.claims();
        boolean same = List.of("jti", "iat", "exp").stream()
                        .allMatch(claim -> claims.get(claim).asText().equals("" + answer.get(claim)))
                && "eidas1".equals(answer.get("acr"))
                && "sp-town".equals(answer.get("client_id"))
                && call.provider().scope(claims.get("scope").asText()).equals(answer.get("scope"))
                && signedIn.person().identity().equals(answer.get("family_name") + " " + answer.get("given_name"))
                && call.provider().isSubjectOf(signedIn.person().name(), (String) answer.get("sub"));
        return same ? null : signedIn.person() + " is not in " + answer;
    }
}
