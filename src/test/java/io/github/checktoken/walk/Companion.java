package io.github.checktoken.walk;

import io.github.checktoken.walk.oracle.IssuedCode;

/** What other pages, services or administrators do while the browser of the walk waits for the answer to one request. */
interface Companion {

    /** Sends the requests, and does not wait. */
    void begin();

    /** Waits for the answers and keeps their cookies. */
    void await();

    /**
     * Judges the answers, after the walk has noted what its own request led to.
     *
     * @param session the newest login of the session in which they were sent; null if there was none
     */
    void judge(IssuedCode session);
}
