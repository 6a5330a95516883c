package io.github.checktoken.walk;

/**
 * One step of a walk: the door, and the seed of all that is drawn behind it, so that the step means much the same when steps
 * before it are left out.
 */
record Step(LoginAction door, long seed) {}
