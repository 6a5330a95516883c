package io.github.checktoken.introspection.outage;

/** A user store (an LDAP directory, another user storage provider) could not be asked, so nothing is known. */
public final class UserStoreUnavailableException extends RuntimeException {

    /** @param reason in English, without names and values, for the event */
    UserStoreUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
