package io.github.checktoken.bench;

import io.github.checktoken.bench.server.Footprint;

/**
 * One minute of the soak.
 *
 * @param answersPerSecond of checktoken
 * @param p99 milliseconds for one of these answers
 * @param cpu the server's processor time, as a share of what it used at its full capacity
 * @param logins logins with their logouts
 * @param renewals refreshes, and logins with single sign-on
 * @param rotations key rotations so far
 * @param failures failed calls, logins and renewals
 * @param after what the server occupied when the minute was over and nobody called it
 */
record SoakSample(
        double answersPerSecond,
        double p99,
        double cpu,
        int logins,
        int renewals,
        int rotations,
        long failures,
        Footprint after) {}
