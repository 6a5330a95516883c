package io.github.checktoken.chaos;

import java.util.EnumSet;
import java.util.Set;

/**
 * Somebody who signs in.
 *
 * @param address where the code is sent; null for somebody who needs no code
 * @param pin null for somebody who has none
 * @param needs without what this person's calls fail
 * @param identity the family name and the given name, which answers have
 */
record Person(String name, String address, String pin, Set<Neighbour> needs, String identity) {

    /** Without what this person's logins fail. */
    Set<Neighbour> needsToSignIn() {
        Set<Neighbour> all = EnumSet.of(Neighbour.DATABASE, Neighbour.CLOCK);
        all.addAll(needs);
        return all;
    }

    /** What a login proves. */
    String amr() {
        if (address != null) {
            return "fc pwd mail";
        }
        return pin == null ? "fc pwd" : "fc pwd pin";
    }
}
