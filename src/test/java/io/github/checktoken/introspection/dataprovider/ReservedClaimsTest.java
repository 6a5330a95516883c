package io.github.checktoken.introspection.dataprovider;

import java.util.Set;
import java.util.TreeSet;

import org.keycloak.representations.AccessToken;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReservedClaimsTest {

    /** OpenID Connect Core section 5.1: what a token of Keycloak can say about the person. */
    private static final Set<String> ABOUT_THE_PERSON = Set.of(
            "name",
            "given_name",
            "family_name",
            "middle_name",
            "nickname",
            "preferred_username",
            "profile",
            "picture",
            "website",
            "email",
            "email_verified",
            "gender",
            "birthdate",
            "zoneinfo",
            "locale",
            "phone_number",
            "phone_number_verified",
            "address",
            "updated_at");

    /** Keycloak's class for access tokens has a property for each claim that Keycloak itself sets. */
    @Test
    void whatKeycloakSetsInAnAccessTokenIsReservedUnlessItIsAboutThePerson() {
        BeanDescription accessToken = JsonSerialization.mapper
                .getSerializationConfig()
                .introspect(JsonSerialization.mapper.constructType(AccessToken.class));
        Set<String> free = new TreeSet<>(accessToken.findProperties().stream()
                .map(BeanPropertyDefinition::getName)
                .toList());
        free.removeAll(ReservedClaims.NAMES);
        free.removeAll(ABOUT_THE_PERSON);
        // The map of the claims that it has no property for.
        assertEquals(Set.of("otherClaims"), free);
    }

    /** RFC 7662 section 2.2, RFC 8693 sections 4.1 and 4.4, RFC 9701 section 5. */
    @Test
    void membersOfAnAnswerAreReserved() {
        assertTrue(ReservedClaims.NAMES.containsAll(Set.of(
                "active",
                "scope",
                "client_id",
                "token_type",
                "exp",
                "iat",
                "nbf",
                "sub",
                "aud",
                "iss",
                "jti",
                "act",
                "may_act",
                "token_introspection")));
    }
}
