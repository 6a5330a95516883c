package io.github.checktoken.introspection.dataprovider;

import java.util.Set;

/**
 * The claims that identity data can never set: members of the introspection object that describe the token (RFC 7662
 * section 2.2, RFC 9068, RFC 9449), and claims that Keycloak puts into access tokens for its own resource servers.
 */
final class ReservedClaims {

    static final Set<String> NAMES = Set.of(
            // Set by the answer itself
            "active",
            "aud",
            "client_id",
            "sub",
            "iat",
            "exp",
            "acr",
            "jti",
            "scope",
            "cnf",
            // RFC 7662, RFC 8693, RFC 9396, RFC 9701
            "iss",
            "nbf",
            "token_type",
            "act",
            "may_act",
            "authorization_details",
            "token_introspection",
            // OpenID Connect Core: claims about the login, not the user. Only the service provider that asks gets amr.
            "azp",
            "nonce",
            "auth_time",
            "amr",
            "at_hash",
            "c_hash",
            "s_hash",
            "claims_locales",
            // OpenID Connect Session Management and logout
            "sid",
            "session_state",
            // Keycloak
            "typ",
            "category",
            "realm_access",
            "resource_access",
            "authorization",
            "allowed-origins",
            "trusted-certs");

    private ReservedClaims() {}
}
