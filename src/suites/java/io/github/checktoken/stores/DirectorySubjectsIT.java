package io.github.checktoken.stores;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.checktoken.support.realm.PinRealm.PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/**
 * Whether somebody in a directory stays the same person for data providers, and keeps the PIN, when the directory or
 * its settings change: see <i>User stores</i> in {@code docs/production.md}.
 */
@Tag("stores")
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectorySubjectsIT {

    private final Federation federation;
    private final DataProviderClient tax;
    private final DirectoryServer directory = new DirectoryServer(List.of());

    /** The person of the running test. */
    private String name;

    private Tokens tokens;
    private String subject;

    DirectorySubjectsIT(Federation federation) throws IOException {
        this.federation = federation;
        this.tax = federation.tax();
        federation.letPeopleSignInAgainAtOnce();
    }

    @AfterAll
    void stop() {
        directory.close();
    }

    @ParameterizedTest
    @EnumSource
    void renamedEntryIsTheSamePersonOnlyWithImport(DirectoryMode mode) {
        try (LdapProvider provider = providerOfPersonWithPin(mode, "true")) {
            String next = newName();
            directory.rename(name, next);
            assertEquals(mode.imports(), tax.check(tokens.accessToken()).active());
            if (mode.imports()) {
                assertIsTheSamePerson(next);
            } else {
                assertIsSomebodyElse(next);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void reusedNameIsTheFormerPersonWithoutImport(DirectoryMode mode) {
        try (LdapProvider provider = providerOfPersonWithPin(mode, "true")) {
            directory.remove(name);
            assertFalse(tax.check(tokens.accessToken()).active());
            directory.add(name, "Petit");
            if (mode.imports()) {
                assertIsSomebodyElse(name);
            } else {
                assertIsTheSamePerson(name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void providerThatIsMadeAnewMakesEverybodySomebodyElse(DirectoryMode mode) {
        providerOfPersonWithPin(mode, "true").close();
        assertFalse(tax.check(tokens.accessToken()).active());
        try (LdapProvider anew = mode.of(directory, federation.admin(), Map.of())) {
            assertIsSomebodyElse(name);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"IMPORT_READ_ONLY", "IMPORT_WRITABLE"})
    void importedPersonWhomTheDirectoryDoesNotFindIsDeletedWithThePin(DirectoryMode mode) {
        try (LdapProvider provider = providerOfPersonWithPin(mode, "true")) {
            findNobodyForAMinute(provider);
            assertFalse(tax.check(tokens.accessToken()).active());
            assertIsSomebodyElse(name);
        }
    }

    @ParameterizedTest
    @EnumSource
    void personWhomTheDirectoryDoesNotFindIsBackIfInvalidUsersAreNotRemoved(DirectoryMode mode) {
        // Without import, Keycloak has nobody to remove.
        try (LdapProvider provider = providerOfPersonWithPin(mode, "" + !mode.imports())) {
            findNobodyForAMinute(provider);
            // Without import, Keycloak has ended the session.
            assertEquals(mode.imports(), tax.check(tokens.accessToken()).active());
            assertIsTheSamePerson(name);
        }
    }

    private LdapProvider providerOfPersonWithPin(DirectoryMode mode, String removeInvalidUsers) {
        LdapProvider provider =
                mode.of(directory, federation.admin(), Map.of("removeInvalidUsersEnabled", removeInvalidUsers));
        name = newName();
        directory.add(name, "Moreau");
        tokens = person(name).choosePin(PIN);
        subject = DirectoryPerson.subject(tax, tokens);
        return provider;
    }

    /** Somebody saves a wrong filter, a data provider makes a call, and the filter is corrected. */
    private void findNobodyForAMinute(LdapProvider provider) {
        provider.set("customUserSearchFilter", "(uid=nobody)");
        assertFalse(tax.check(tokens.accessToken()).active());
        provider.set("customUserSearchFilter", "(objectClass=*)");
    }

    private void assertIsTheSamePerson(String username) {
        assertEquals(subject, DirectoryPerson.subject(tax, person(username).signInWithPin(PIN)));
    }

    /** No PIN is asked for, because there is none. */
    private void assertIsSomebodyElse(String username) {
        assertNotEquals(subject, DirectoryPerson.subject(tax, person(username).signIn()));
    }

    private DirectoryPerson person(String username) {
        return new DirectoryPerson(federation, username);
    }

    private static String newName() {
        return "person-" + UUID.randomUUID();
    }
}
