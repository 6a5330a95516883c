package io.github.checktoken.introspection.outage;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import org.keycloak.component.ComponentModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakTransactionManager;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.StorageUnavailableUserModelDelegate;
import org.keycloak.models.utils.UserModelDelegate;
import org.keycloak.storage.StorageUnavailableException;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

class UserStoreAccessTest {

    private static final RuntimeException ANY = new IllegalStateException();
    private static final RuntimeException OF_THE_DATABASE = new RuntimeException(new SQLException("", "08006"));

    private final UserModel local = Fake.of(UserModel.class, Map.of("getId", "anna"));
    private final UserModel ofStore = Fake.of(UserModel.class, Map.of("getId", "f:store:anna"));
    private final UserModel ofFailingStore =
            Fake.of(UserModel.class, Map.of("getId", "f:store:anna", "getGroupsStream", ANY));

    @Test
    void whateverFailsInALookUpIsTheStores() {
        assertIsOfStore(() -> access(new ComponentModel()).lookUp(failing(ANY)));
    }

    @Test
    void databaseThatFailsIsNotTheStore() {
        assertSame(OF_THE_DATABASE, failure(() -> access(new ComponentModel()).lookUp(failing(OF_THE_DATABASE))));
        assertSame(
                OF_THE_DATABASE,
                failure(() -> access(new ComponentModel()).map(ofFailingStore, failing(OF_THE_DATABASE))));
    }

    @Test
    void mapperThatFailsByItselfIsNotTheStore() {
        assertSame(ANY, failure(() -> access(new ComponentModel()).map(local, failing(ANY))));
        assertSame(ANY, failure(() -> access(new ComponentModel()).map(ofStore, failing(ANY))));
    }

    @Test
    void mapperFailsWithTheStoreIfTheStoreFailsAgainOrTheExceptionSaysSo() {
        assertIsOfStore(() -> access(new ComponentModel()).map(ofFailingStore, failing(ANY)));
        assertIsOfStore(
                () -> access(new ComponentModel()).map(local, failing(new StorageUnavailableException("away"))));
    }

    /** Keycloak's cache can wrap the stand-in. */
    @Test
    void standInForAPersonIsNotReal() {
        UserModel standIn = new StorageUnavailableUserModelDelegate(ofStore, IllegalStateException::new);
        assertIsOfStore(() -> requireReal(standIn));
        assertIsOfStore(() -> requireReal(new UserModelDelegate(standIn)));
        requireReal(new UserModelDelegate(ofStore));
        requireReal(null);
    }

    @Test
    void storeThatIsOffIsNotAsked() {
        ComponentModel store = new ComponentModel();
        store.put("enabled", false);
        assertSame(ANY, failure(() -> access(store).lookUp(failing(ANY))));
        assertSame(ANY, failure(() -> access().lookUp(failing(ANY))));
    }

    private static Object requireReal(UserModel user) {
        access(new ComponentModel()).requireReal(user);
        return null;
    }

    private static void assertIsOfStore(Supplier<?> work) {
        assertThrows(UserStoreUnavailableException.class, work::get);
    }

    private static RuntimeException failure(Supplier<?> work) {
        return assertThrows(RuntimeException.class, work::get);
    }

    private static Supplier<Object> failing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    /** The realm is another one each time, because calls of one in which a store has failed are limited. */
    private static UserStoreAccess access(ComponentModel... stores) {
        RealmModel realm = Fake.of(
                RealmModel.class,
                Map.of(
                        "getId",
                        UUID.randomUUID().toString(),
                        "getName",
                        "realm",
                        "getComponentsStream",
                        List.of(stores)));
        return new UserStoreAccess(Fake.of(
                KeycloakSession.class,
                Map.of(
                        "getContext",
                        Fake.of(KeycloakContext.class, Map.of("getRealm", realm)),
                        "getTransactionManager",
                        Fake.of(KeycloakTransactionManager.class, Map.of()))));
    }
}
