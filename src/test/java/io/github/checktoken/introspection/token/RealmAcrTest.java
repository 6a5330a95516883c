package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ClientModel;
import org.keycloak.models.RealmModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** In the realm, {@code low} is level 1 and {@code high} is level 2. The service provider names level 1 {@code high}, too. */
class RealmAcrTest {

    private final RealmAcr realmAcr = new RealmAcr(Fake.of(
            ClientModel.class,
            Map.of(
                    "getRealm",
                    Fake.of(RealmModel.class, Map.of("getAttribute", "{\"low\":1,\"high\":2,\"gold\":2}")),
                    "getAttribute",
                    "{\"high\":1,\"silver\":1,\"gold\":3}")));

    @Test
    void claimThatSaysMoreThanTheLoginIsNotBelieved() {
        assertEquals(Optional.of("low"), realmAcr.of("gold", 1));
        assertEquals(Optional.of("low"), realmAcr.of("2", 1));
    }

    @Test
    void claimThatSaysLessThanTheLoginIsKept() {
        assertEquals(Optional.of("low"), realmAcr.of("low", 2));
        assertEquals(Optional.of("gold"), realmAcr.of("gold", 2));
    }

    @Test
    void ofTwoLevelsOfANameTheLowerOneCounts() {
        assertEquals(Optional.of("low"), realmAcr.of("high", 2));
    }

    @Test
    void nameOfTheServiceProviderIsTranslated() {
        assertEquals(Optional.of("low"), realmAcr.of("silver", 2));
    }

    @Test
    void nameOfNoLevelSaysNothing() {
        assertEquals(Optional.empty(), realmAcr.of("bronze", 2));
    }
}
