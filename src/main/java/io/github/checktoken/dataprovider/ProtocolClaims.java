package io.github.checktoken.dataprovider;

import java.util.Set;

/**
 * What identity data never sets: members of the introspection object that speak of the token (RFC 7662 section 2.2, RFC
 * 9068, RFC 9449), and what Keycloak puts into access tokens for resource servers it knows.
 */
final class ProtocolClaims {

    static final Set<String> NAMES = Set.of(
            // The answer's own
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
            // OpenID Connect Core: the login, not the person. amr is for the service provider that asked.
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

    private ProtocolClaims() {}
}
