package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.RealmModel;

import io.github.checktoken.introspection.dataprovider.OmittedClaims.Omission;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class OmittedClaimsTest {

    private final OmittedClaims omitted = new OmittedClaims();

    @Test
    void lastOmissionOfEachCauseIsRemembered() {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId("mapper");
        mapper.setName("date of birth");
        omitted.record(client("dp"), "gender", OmissionCause.GENDER, Optional.empty());
        omitted.record(client("dp"), "first", OmissionCause.BIRTHDATE, Optional.of(mapper));
        omitted.record(client("dp"), "birthdate", OmissionCause.BIRTHDATE, Optional.of(mapper));
        assertEquals(
                List.of(
                        new Omission("gender", "it is neither male nor female"),
                        new Omission("birthdate", "it is no date YYYY-MM-DD (mapper 'date of birth')")),
                omitted.of(client("dp")));
        assertEquals(List.of(), omitted.of(client("another")));
    }

    private static ClientModel client(String id) {
        return Fake.of(
                ClientModel.class,
                Map.of(
                        "getId", id,
                        "getClientId", id,
                        "getRealm", Fake.of(RealmModel.class, Map.of("getName", "realm"))));
    }
}
