package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.EnumMap;
import java.util.Map;

import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Grant;
import io.github.checktoken.walk.oracle.OracleViolation;

/** Checks in one walk that what must succeed does succeed, and counts how often. */
final class Grants {

    private static final int CONFLICT = 409;

    /** Keycloak's own refusal, also without us, if the account has another identity of the provider. */
    private static final String LINKED_ALREADY = "Your account is already linked to the identity provider";

    /** The same in Keycloak 26.5, with the status 500. */
    private static final String NOT_LINKED = "Unexpected error when authenticating with identity provider";

    private final Walk walk;
    private final Map<Grant, Integer> checked = new EnumMap<>(Grant.class);
    private final Map<Grant, Integer> failed = new EnumMap<>(Grant.class);

    Grants(Walk walk) {
        this.walk = walk;
    }

    Map<Grant, Integer> checked() {
        return checked;
    }

    Map<Grant, Integer> failed() {
        return failed;
    }

    /** @param instead what came instead, so that failures of the same kind can be told from others */
    void check(Grant grant, boolean granted, String instead) {
        checked.merge(grant, 1, Integer::sum);
        if (!granted) {
            failed.merge(grant, 1, Integer::sum);
            walk.say("    !! " + grant + ": " + instead);
            walk.fail(OracleViolation.Kind.NOT_GRANTED, grant + ": " + instead);
        }
    }

    /**
     * @param shown the page after the form; null if the browser is at a client or stays at a redirect
     * @param straight if not, Keycloak itself may have a page without a way on
     */
    void checkForm(Page shown, boolean straight) {
        boolean goesOn = shown == null
                || isLinkedAlready(shown)
                || shown.status() != CONFLICT && shown.status() < 500 && (!straight || shown.hasWayOn());
        check(
                Grant.RIGHT_FORM_GOES_ON,
                goesOn,
                shown == null ? "" : shown.status() + " " + shown.kind() + " " + withoutNames(shown.message()));
    }

    private static boolean isLinkedAlready(Page shown) {
        return shown.message().startsWith(LINKED_ALREADY)
                || System.getProperty("keycloak.version").startsWith("26.5.")
                        && shown.status() == 500
                        && shown.message().equals(NOT_LINKED)
                        && shown.url().contains("/broker/after-first-broker-login");
    }

    /** So that failures of different people can be compared. */
    private static String withoutNames(String message) {
        return message.replaceAll(" If you contact support.*", "").replaceAll("[a-z][0-9]+n[0-9]+\\S*", "…");
    }

    /** Two revocations of a token at the same moment can fail in Keycloak itself, if the session is offline. */
    void checkService(HttpResponse<String> response) {
        boolean json = response.body().isEmpty() || response.body().startsWith("{");
        boolean isRevocation = response.uri().getPath().endsWith("/revoke");
        check(
                Grant.SERVICE_GETS_JSON,
                json && (isRevocation ? response.statusCode() != CONFLICT : isNoFailure(response)),
                response.statusCode() + (json ? " in JSON" : " not in JSON") + " of " + Walk.path(response.uri() + ""));
    }

    /** Two sign-outs of a browser at the same moment can fail in Keycloak itself, whose client of the first is not there. */
    void checkSignOut(HttpResponse<String> response) {
        int status = response.statusCode();
        check(Grant.SIGN_OUT_IS_ANSWERED, status != CONFLICT, String.valueOf(status));
    }

    private static boolean isNoFailure(HttpResponse<String> response) {
        return response.statusCode() != CONFLICT && response.statusCode() < 500;
    }
}
