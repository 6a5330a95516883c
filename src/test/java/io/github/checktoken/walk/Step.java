package io.github.checktoken.walk;

/**
 * One step of a walk: the login action, and a seed for everything that the action draws. So the step does much the same
 * if earlier steps are left out.
 */
record Step(LoginAction door, long seed, Habits habits) {}
