package io.github.checktoken.introspection.endpoint;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths of the service, as filters for all of Keycloak's requests recognise them: {@code /realms/{realm}/checktoken}
 * and the same under the issuer, {@code /realms/{realm}/api/v2}, with its metadata. {@link ApiResource} has the routes.
 */
final class ServicePaths {

    /** The issuer's path under the realm's URL. */
    static final String ISSUER = "/api/v2";

    /** The endpoint's path under the issuer, and a shorter one under the realm's URL. */
    static final String ENDPOINT_NAME = "/checktoken";

    private static final Pattern ENDPOINT = Pattern.compile("/?realms/[^/]+(" + ISSUER + ")?" + ENDPOINT_NAME + "/?");

    private static final Pattern REDIRECT =
            Pattern.compile("/?realms/[^/]+/api/(v[12]/authorize|v1/logout|v2/session/end)/?");

    private static final Pattern PROGRAMS = Pattern.compile("/?realms/[^/]+/api/(v[12]/(token|userinfo)|v2/jwks)/?");

    private static final Pattern METADATA = Pattern.compile(
            "/?realms/[^/]+" + ISSUER + "/\\.well-known/(openid-configuration|oauth-authorization-server)/?");

    private static final String WELL_KNOWN = ".well-known/oauth-authorization-server";

    /**
     * A realm name with a NUL is excluded: PostgreSQL rejects it with an error, for which Keycloak logs a stack trace.
     */
    private static final Pattern ISSUER_METADATA =
            Pattern.compile(Pattern.quote(WELL_KNOWN) + "/(realms/(?:(?!%00)[^/])+" + ISSUER + ")");

    private ServicePaths() {}

    /** @param path decoded */
    static boolean isEndpoint(String path) {
        return ENDPOINT.matcher(path).matches();
    }

    /** @param path decoded; whether one of Keycloak's own endpoints answers at it */
    static boolean isCalledByPrograms(String path) {
        return PROGRAMS.matcher(path).matches();
    }

    /**
     * @param path decoded
     * @return the methods of a redirect or of the metadata; empty for other paths
     */
    static Optional<String> allowedMethods(String path) {
        return METADATA.matcher(path).matches()
                ? Optional.of("GET, HEAD, OPTIONS")
                : REDIRECT.matcher(path).matches() ? Optional.of("GET, HEAD, OPTIONS, POST") : Optional.empty();
    }

    /** @param path decoded or not; whether it can be the address of an issuer's metadata */
    static boolean mayBeIssuerMetadata(String path) {
        return path.contains(WELL_KNOWN + "/realms/");
    }

    /**
     * @param rawPath as in the request's URI, from the base on; with the well-known part first (RFC 8414 section 3.1)
     * @return the same with the well-known part last, where {@link ApiResource} serves it; empty for other paths
     */
    static Optional<String> issuerMetadata(String rawPath) {
        Matcher path = ISSUER_METADATA.matcher(rawPath);
        return path.matches() ? Optional.of(path.group(1) + "/" + WELL_KNOWN) : Optional.empty();
    }
}
