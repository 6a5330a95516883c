package io.github.checktoken.introspection.dataprovider;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.keycloak.common.Profile;
import org.keycloak.device.DeviceRepresentationProvider;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionProvider;

import io.github.checktoken.support.Fake;
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

    /** Nobody signs in at a data provider: tokens of an identity provider and what the login half has noted are not for it. */
    @Test
    void copyOfTheSessionHasNoNotesOfTheLogin() {
        Map<String, String> copied = new HashMap<>();
        UserSessionModel copy = Fake.of(UserSessionModel.class, (method, arguments) -> switch (method) {
            case "setNote" -> copied.put((String) arguments[0], (String) arguments[1]);
            case "removeNote" -> copied.remove(arguments[0]);
            case "getNotes" -> copied;
            default -> null;
        });
        FakeDataProvider fake = FakeDataProvider.of(List.of(), Map.of(), new GivenNamesMapper());
        ClientModel client = fake.dataProvider().client();
        UserSessionProvider sessions = Fake.of(
                UserSessionProvider.class,
                Map.of(
                        "createUserSession",
                        copy,
                        "createClientSession",
                        Fake.of(
                                AuthenticatedClientSessionModel.class,
                                Map.of("getClient", client, "getUserSession", copy))));
        UserSessionModel stored = Fake.of(
                UserSessionModel.class,
                Map.of(
                        "getNotes",
                        Map.of("FEDERATED_ACCESS_TOKEN", "", "checktoken.amr.methods", "", "AUTH_TIME", "1000")));
        KeycloakSession session = Fake.of(KeycloakSession.class, (method, arguments) -> switch (method) {
            case "sessions" -> sessions;
            case "getContext" -> fake.session().getContext();
            case "getKeycloakSessionFactory" -> fake.session().getKeycloakSessionFactory();
            case "getProvider" ->
                arguments[0] == DeviceRepresentationProvider.class
                        ? Fake.of(DeviceRepresentationProvider.class, Map.of())
                        : null;
            default -> null;
        });
        ProtocolMapperRunner.of(session, client, "", stored);
        copied.remove(Constants.CREATED_FROM_PERSISTENT);
        assertEquals(Map.of("AUTH_TIME", "1000"), copied);
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
