package io.github.checktoken.keycloak;

/** A protocol mapper's factory. Logins are recorded in a realm that has a mapper of such a factory. */
public interface RecordedLoginReader {}
