package io.github.checktoken.keycloak;

import java.lang.module.ModuleDescriptor.Version;

import jakarta.ws.rs.core.Response.Status;

/** The status with which Keycloak rejects a wrong password in a direct grant. */
public final class InvalidGrantStatus {

    private InvalidGrantStatus() {}

    /** @return 400, as RFC 6749 section 5.2 requires; before Keycloak 26.6, 401 */
    public static Status get() {
        return Version.parse(org.keycloak.common.Version.VERSION).compareTo(Version.parse("26.6")) < 0
                ? Status.UNAUTHORIZED
                : Status.BAD_REQUEST;
    }
}
