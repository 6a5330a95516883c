package io.github.checktoken.walk;

import java.util.List;

/**
 * A login that ended with a code, as it stood then.
 *
 * @param before the login whose session it continues; null where there is none
 */
record Issue(Login login, List<Proof> proofs, Issue before) {}
