package io.github.checktoken.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The newest logins, of which most have a session and some have ended. */
final class Sessions {

    private static final int MOST = 24;
    private static final int WITH_SESSION = 16;

    private final List<SignedIn> newestLast = new ArrayList<>();

    synchronized SignedIn any(Random random) {
        return newestLast.get(random.nextInt(newestLast.size()));
    }

    /** @return a login that has to end now; null if there is none */
    synchronized SignedIn add(SignedIn signedIn) {
        newestLast.add(signedIn);
        if (newestLast.size() > MOST) {
            newestLast.remove(0);
        }
        int oldest = newestLast.size() - WITH_SESSION - 1;
        return oldest < 0 ? null : newestLast.get(oldest);
    }
}
