package io.github.checktoken.login.evidence;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.FederatedIdentityModel;
import org.keycloak.models.UserProvider;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** The realm has the levels 1, 2 and 3. The provider {@code fc} has signed Anna in, with level 2. */
class ProviderLevelTest {

    private final FakeLogin login = new FakeLogin();

    ProviderLevelTest() {
        login.realmResults.put("getAttribute", "{\"low\":1,\"middle\":2,\"high\":3,\"none\":0}");
        String identity = HashUtils.sha256UrlEncodedHash("fc id-of-anna", StandardCharsets.UTF_8);
        login.clientNotes.put(
                "checktoken.amr.broker.fc",
                JsonNote.write(new IdentityProviderReport(identity, AuthenticationMethods.NONE, 2)));
        login.userSessionNotes.put("identity_provider", "fc");
        FederatedIdentityModel link = new FederatedIdentityModel("fc", "id-of-anna", "name");
        login.results.put("users", Fake.of(UserProvider.class, Map.of("getFederatedIdentity", link)));
    }

    @Test
    void levelCountsWithAllLowerOnesOfTheRealm() {
        login.signIn("anna");
        ProviderLevel level = ProviderLevel.of(login.session, login.authSession);
        assertEquals(2, level.value());
        assertEquals(Set.of(1, 2), level.times().times().keySet());
    }

    @Test
    void withoutAUserThereIsNone() {
        assertNull(ProviderLevel.of(login.session, login.authSession).value());
    }

    @Test
    void postLoginFlowFindsTheLevelAsReached() {
        login.signIn("anna");
        ProviderLevel.noteForPostLoginFlow(login.session, login.authSession);
        assertNull(login.authNotes.get("loa-map"));
        login.authNotes.put("PBL_BROKERED_IDENTITY_CONTEXT", "{\"identityProviderId\":\"fc\",\"id\":\"id-of-anna\"}");
        ProviderLevel.noteForPostLoginFlow(login.session, login.authSession);
        assertEquals(
                Set.of(1, 2),
                LevelTimes.parse(login.authNotes.get("loa-map")).times().keySet());
    }
}
