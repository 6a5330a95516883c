package io.github.checktoken.keycloak;

import org.keycloak.Config;

/** Which realms the server guards. */
enum LoginGuardMode {
    /** Those whose attribute is {@code on}, and without the attribute those that use the login half. */
    USED("guards realms that use it, or have " + LoginGuard.REALM_ATTRIBUTE + "=on"),

    /** Those whose attribute is not {@code off}. */
    ALL("guards all realms but those that have " + LoginGuard.REALM_ATTRIBUTE + "=off"),

    /** None. */
    OFF("guards no realm");

    /** The last part of the server's option. */
    static final String OPTION = "guard";

    /** The server's. Options do not change while a server runs. */
    static final LoginGuardMode CURRENT = of(Config.scope("authentication-sessions", LoginGuard.PROVIDER_ID));

    private final String realms;

    LoginGuardMode(String realms) {
        this.realms = realms;
    }

    /** Anything else than the three values means {@code used}. */
    static LoginGuardMode of(Config.Scope config) {
        return switch (config.get(OPTION, "used")) {
            case "all" -> ALL;
            case "off" -> OFF;
            default -> USED;
        };
    }

    /** For the log of the start. */
    String realms() {
        return realms;
    }
}
