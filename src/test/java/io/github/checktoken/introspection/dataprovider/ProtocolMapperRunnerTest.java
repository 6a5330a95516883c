package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;

import org.keycloak.common.Profile;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ProtocolMapperRunnerTest {

    @BeforeAll
    static void enableTheUsualFeatures() {
        Profile.defaults();
    }

    @Test
    void personsIdentityIsWhatMappersForIntrospectionGive() {
        assertEquals(
                Map.of("given_name_array", List.of("Camille", "Louise")),
                identity(Map.of("getFirstName", "Camille Louise"), "true"));
        assertEquals(Map.of(), identity(Map.of("getFirstName", "Camille Louise"), "false"));
    }

    @Test
    void serviceAccountHasNoIdentityWhateverItsAttributes() {
        assertEquals(
                Map.of(),
                identity(Map.of("getFirstName", "Camille Louise", "getServiceAccountClientLink", "client"), "true"));
    }

    private static Map<String, Object> identity(Map<String, ?> user, String isInIntrospection) {
        return FakeDataProvider.of(
                        List.of(),
                        user,
                        new GivenNamesMapper(),
                        FakeDataProvider.mapper("names", Map.of("introspection.token.claim", isInIntrospection)))
                .mappers()
                .identity();
    }
}
