package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.walk.oracle.IssuedCode;
import io.github.checktoken.walk.oracle.Oracle;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.oracle.PermittedClaims;
import io.github.checktoken.walk.realm.WalkRealm;

/** Compares what a token says with what the oracle permits. */
final class AnswerCheck {

    /** The level that needs more than the password. */
    private static final String SECOND_LEVEL = "eidas2";

    private final Walk walk;
    private final Oracle oracle;
    private final List<String> sayingLess = new ArrayList<>();

    AnswerCheck(Walk walk, Oracle oracle) {
        this.walk = walk;
        this.oracle = oracle;
    }

    /** @return for each answer that reported less than was proved: what was missing, and the last steps of the login */
    List<String> sayingLess() {
        return sayingLess;
    }

    void judge(IssuedCode issue, String what, JsonNode claims) {
        String person = claims.path("preferred_username").asText();
        Set<String> told = new TreeSet<>();
        claims.path("amr").forEach(value -> told.add(value.asText()));
        String level = claims.path("acr").asText();
        PermittedClaims allowance = oracle.allowance(issue, person);
        Set<String> allowed = allowance.values();
        walk.say("    redeems " + what + " of " + issue.request().client() + ": " + person + ", amr " + told + ", acr "
                + level + "; the oracle allows " + (allowance.signedIn() ? allowed : "no login"));
        Set<String> above = new TreeSet<>(told);
        above.removeAll(allowed);
        if (!allowance.signedIn()) {
            walk.fail(OracleViolation.Kind.SIGNED_IN_WITHOUT_PROOF, "told " + told + ", proved nothing");
        } else if (oracle == walk.oracle() && walk.otherBrowser().hasSession(claims)) {
            walk.fail(OracleViolation.Kind.SESSION_OF_ANOTHER_BROWSER, "of V");
        } else if (!above.isEmpty()) {
            walk.fail(OracleViolation.Kind.METHOD_NOT_PROVED, "told " + told + ", proved " + allowed);
        } else if (level.equals(SECOND_LEVEL)
                && !reachesSecondLevel(allowance.everInSession())
                && (WalkRealm.LEVEL_OF_THE_LOGIN.contains(issue.request().client())
                        || !reachesSecondLevel(oracle.inSession(issue, person)))) {
            walk.fail(OracleViolation.Kind.LEVEL_NOT_REACHED, level + ", proved " + allowed);
        }
        if (claims.path("typ").asText().equals("ID")) {
            noteIfLess(issue, what, told, allowed);
        }
    }

    private void noteIfLess(IssuedCode issue, String what, Set<String> told, Set<String> allowed) {
        Set<String> missing = new TreeSet<>(allowed);
        missing.removeAll(told);
        if (!missing.isEmpty()) {
            sayingLess.add(what + " lacks " + missing + " after " + issue.lastSteps());
        }
    }

    static boolean reachesSecondLevel(Set<String> methods) {
        return methods.contains("otp") || methods.contains("pin");
    }
}
