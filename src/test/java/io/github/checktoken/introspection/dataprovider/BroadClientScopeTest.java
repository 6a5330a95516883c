package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.HardcodedClaim;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class BroadClientScopeTest {

    @Test
    void claimThatIsNoIdentityDataIsNamed() {
        assertEquals(
                Optional.of(new BroadClientScope("scope", List.of("a.b", "email"))),
                of(mapper("email.verified", "true"), mapper("a\\.b.c", "true"), mapper("birthdate", "true")));
    }

    @Test
    void claimThatIsNotAddedToIntrospectionIsInNoAnswer() {
        assertEquals(Optional.empty(), of(mapper("email", "false")));
    }

    @Test
    void protocolMembersAndTheDataOfServiceAccountsAreInNoAnswer() {
        assertEquals(Optional.empty(), of(mapper("aud", "true"), mapper("clientHost", "true")));
    }

    /** A mapper of another kind is not asked at introspection, whatever its settings say. */
    @Test
    void mapperOfAnotherKindIsInNoAnswer() {
        assertEquals(Optional.empty(), of(Fake.of(ProtocolMapper.class, Map.of()), mapper("email", "true")));
    }

    private static Optional<BroadClientScope> of(ProtocolMapperModel... mappers) {
        return of(new HardcodedClaim(), mappers);
    }

    private static Optional<BroadClientScope> of(ProtocolMapper kind, ProtocolMapperModel... mappers) {
        KeycloakSessionFactory factory = Fake.of(KeycloakSessionFactory.class, Map.of("getProviderFactory", kind));
        return BroadClientScope.of(
                Fake.of(KeycloakSession.class, Map.of("getKeycloakSessionFactory", factory)),
                Fake.of(
                        ClientScopeModel.class,
                        Map.of("getName", "scope", "getProtocolMappersStream", List.of(mappers))));
    }

    private static ProtocolMapperModel mapper(String claim, String isInIntrospection) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setConfig(Map.of("claim.name", claim, "introspection.token.claim", isInIntrospection));
        return mapper;
    }
}
