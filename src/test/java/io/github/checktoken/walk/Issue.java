package io.github.checktoken.walk;

import java.util.List;

/**
 * A login that ended with a code, as it stood then.
 *
 * @param before the login whose session it continues; null where there is none
 */
record Issue(Request request, Login login, List<Proof> proofs, Issue before) {

    /** For the report: the last steps of the login, and of the one before. */
    String lastSteps() {
        String steps = login.lastSteps().isEmpty() ? "single sign-on" : login.lastSteps();
        return before == null ? steps : before.login().lastSteps() + " | " + steps;
    }
}
