package io.github.checktoken.keycloak;

/**
 * What can be missing by itself if this version of Keycloak lacks an internal member. Each part also needs what the part
 * needs on which it builds.
 */
public enum Part {
    /** What all of it uses. */
    SHARED(null, "All of it"),
    /** Everything about logins. */
    LOGIN(SHARED, "Logins"),
    /** The endpoint, its metadata and what belongs to data providers. */
    INTROSPECTION(SHARED, "Endpoint"),
    /** The administrators' view: its API and page. */
    ADMIN(INTROSPECTION, "Administrators' view");

    private final Part base;
    private final String displayName;

    Part(Part base, String displayName) {
        this.base = base;
        this.displayName = displayName;
    }

    /** In English, for the log. */
    String displayName() {
        return displayName;
    }

    /** Whether this part is the other one, or builds on it. */
    boolean needs(Part other) {
        return this == other || base != null && base.needs(other);
    }
}
