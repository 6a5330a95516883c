package io.github.checktoken.keycloak;

/** A protocol mapper's factory. Logins are recorded in a realm only if it has a mapper of such a factory. */
public interface RecordedLoginReader {}
