package io.github.checktoken.testkit;

/**
 * Where the platform is.
 *
 * @param elsewhere another host, to which wrong answers redirect
 */
record Addresses(String origin, String realmPath, String elsewhere) {

    String realm() {
        return origin + realmPath;
    }

    String issuer() {
        return realm() + "/api/v2";
    }

    String jwks() {
        return realm() + "/protocol/openid-connect/certs";
    }
}
