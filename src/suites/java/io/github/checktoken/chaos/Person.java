package io.github.checktoken.chaos;

import java.util.Set;

/**
 * Somebody who signs in.
 *
 * @param address where the code is sent; null for somebody who needs no code
 * @param needs without what this person's calls fail
 * @param identity the family name and the given name, which answers have
 */
record Person(String name, String address, Set<Neighbour> needs, String identity) {}
