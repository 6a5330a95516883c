package io.github.checktoken.login.evidence;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.FederatedIdentityModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserProvider;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The provider {@code fc} takes part in a login. */
class IdentityProviderLoginTest {

    private final FakeLogin login = new FakeLogin();
    private final UserModel anna = login.signIn("anna");
    private final Map<String, FederatedIdentityModel> links = new HashMap<>();

    IdentityProviderLoginTest() {
        login.results.put(
                "users", Fake.of(UserProvider.class, (method, arguments) -> links.get((String) arguments[2])));
    }

    @Test
    void providerHasSignedInWhoIsLinkedToAnIdentityThere() {
        assertFalse(hasSignedIn());
        login.userSessionNotes.put("identity_provider", "fc");
        assertFalse(hasSignedIn());
        links.put("fc", new FederatedIdentityModel("fc", "id-of-anna", "name"));
        assertTrue(hasSignedIn());
    }

    @Test
    void identityThatWaitsForThePostLoginFlowMustBeTheLinkedOne() {
        links.put("fc", new FederatedIdentityModel("fc", "id-of-anna", "name"));
        await("id-of-anna");
        assertTrue(hasSignedIn());
        await("id-of-bruno");
        assertFalse(hasSignedIn());
    }

    @Test
    void providerOfTheWaitingIdentityComesFirst() {
        login.userSessionNotes.put("identity_provider", "earlier");
        assertEquals("earlier", IdentityProviderLogin.aliasSoFar(login.authSession));
        await("id-of-anna");
        assertEquals("fc", IdentityProviderLogin.aliasSoFar(login.authSession));
        assertEquals("earlier", IdentityProviderLogin.alias(login.authSession));
    }

    private boolean hasSignedIn() {
        return IdentityProviderLogin.hasSignedIn(login.session, login.authSession, anna);
    }

    private void await(String identity) {
        login.authNotes.put(
                "PBL_BROKERED_IDENTITY_CONTEXT", "{\"identityProviderId\":\"fc\",\"id\":\"" + identity + "\"}");
    }
}
