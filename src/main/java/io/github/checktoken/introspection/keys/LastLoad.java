package io.github.checktoken.introspection.keys;

/**
 * The end of the last load of a set. Times are values of {@link System#nanoTime()}.
 *
 * @param failure why it gave no key, in English; null if it gave one
 * @param next from when the set may be loaded again
 */
record LastLoad(long ended, String failure, long next) {}
