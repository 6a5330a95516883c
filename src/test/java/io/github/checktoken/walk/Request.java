package io.github.checktoken.walk;

/**
 * An authorization request of a client.
 *
 * @param state which its answer carries
 * @param forced whether it asks that the person sign in anew
 */
record Request(String state, String client, boolean forced) {}
