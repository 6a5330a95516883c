package io.github.checktoken.bench.load;

import io.github.checktoken.bench.server.ServerMeter;

/** One thing to measure. */
public interface Scenario {

    /** The same in all rounds, and unique in its step. */
    String name();

    /** The name of the scenario of the same step with which this one is compared; null for none. */
    String baseline();

    /** Of the server that is called. */
    ServerMeter meter();

    /**
     * Makes one call and checks the answer in full.
     *
     * @return the load that makes the same call again and again
     */
    Wrk.Load checked();
}
