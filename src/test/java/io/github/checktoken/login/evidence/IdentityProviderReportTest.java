package io.github.checktoken.login.evidence;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.keycloak.broker.provider.BrokeredIdentityContext;
import org.keycloak.models.FederatedIdentityModel;
import org.keycloak.models.IdentityProviderModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserProvider;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The provider {@code fc} has reported a PIN and level 2 for the identity {@code id-of-anna}. */
class IdentityProviderReportTest {

    private static final AuthenticationMethods PIN = new AuthenticationMethods(List.of(new AuthenticationMethodUse(
            AuthenticationMethod.PIN.value(), false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION)));

    private FakeLogin login = new FakeLogin();

    @Test
    void reportCountsForTheUserWhoIsLinkedToItsIdentity() {
        receive();
        assertReport("id-of-anna", Set.of("pin"), Optional.of(2));
    }

    @Test
    void reportCountsForNoUserWhoIsLinkedToAnotherIdentity() {
        receive();
        assertReport("id-of-bruno", Set.of(), Optional.empty());
    }

    /** In the following requests, only the note is left. */
    @Test
    void reportThatWasNotedCountsForTheSameUserAlone() {
        receive();
        IdentityProviderReport.saveReceived(login.session, login.authSession);
        FakeLogin next = new FakeLogin();
        next.clientNotes.putAll(login.clientNotes);
        next.userSessionNotes.putAll(login.userSessionNotes);
        login = next;
        assertReport("id-of-anna", Set.of("pin"), Optional.of(2));
        assertReport("id-of-bruno", Set.of(), Optional.empty());
    }

    @Test
    void linkOfAFurtherAccountIsNoLogin() {
        login.authNotes.put("LINKING_IDENTITY_PROVIDER", "fc");
        receive();
        assertReport("id-of-anna", Set.of(), Optional.empty());
    }

    private void receive() {
        IdentityProviderModel provider = new IdentityProviderModel();
        provider.setAlias("fc");
        provider.setEnabled(true);
        BrokeredIdentityContext context = new BrokeredIdentityContext("id-of-anna", provider);
        context.setAuthenticationSession(login.authSession);
        IdentityProviderReport.receive(login.session, context, PIN, 2);
        login.userSessionNotes.put("identity_provider", "fc");
    }

    private void assertReport(String linked, Set<String> methods, Optional<Integer> level) {
        FederatedIdentityModel link = new FederatedIdentityModel("fc", linked, "name");
        login.results.put("users", Fake.of(UserProvider.class, Map.of("getFederatedIdentity", link)));
        UserModel user = login.signIn("user");
        assertEquals(
                methods,
                IdentityProviderReport.methods(login.session, login.authSession, user)
                        .values());
        assertEquals(level, IdentityProviderReport.level(login.session, login.authSession, user));
    }
}
