package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;

import jakarta.ws.rs.core.MultivaluedHashMap;

import org.keycloak.http.HttpRequest;
import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.utils.PkceUtils;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The code of a login of Anna is redeemed. */
class RecordedLoginResolverTest {

    private static final RecordedLogin LOGIN =
            new RecordedLogin("anna", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);
    private static final String VERIFIER = "a".repeat(43);

    private final Map<String, String> notes = new HashMap<>();

    @Test
    void codeWithoutAnythingFindsTheLoginWithoutAnything() {
        addCode(null, null);
        assertEquals(LOGIN, redeem(null, null));
    }

    @Test
    void codeFindsTheLoginOfItsNonce() {
        addCode("nonce", null);
        assertEquals(LOGIN, redeem("nonce", null));
        addCode("nonce", null);
        assertEquals(RecordedLogin.UNKNOWN, redeem("other", null));
    }

    @Test
    void codeFindsTheLoginOfItsChallenge() {
        addCode(null, PkceUtils.encodeCodeChallenge(VERIFIER, "S256"));
        assertEquals(LOGIN, redeem(null, VERIFIER));
        addCode(null, VERIFIER);
        assertEquals(LOGIN, redeem(null, VERIFIER));
    }

    /** Keycloak takes it for a code without a challenge. */
    @Test
    void verifierThatNobodyAskedForFindsALoginOnlyByTheNonce() {
        addCode("nonce", null);
        assertEquals(LOGIN, redeem("nonce", VERIFIER));
        addCode(null, null);
        assertEquals(RecordedLogin.UNKNOWN, redeem(null, VERIFIER));
    }

    private void addCode(String nonce, String challenge) {
        new RecordedLoginStore(NotesOnlyClientSession.clientSession(notes))
                .addCode(RecordedLoginStore.codeKey(nonce, challenge), LOGIN, 60);
    }

    private RecordedLogin redeem(String nonce, String verifier) {
        Map<String, Object> attributes = new HashMap<>(Map.of("grant_type", "authorization_code"));
        attributes.put("nonce", nonce);
        ClientSessionContext context = Fake.of(
                ClientSessionContext.class,
                (method, arguments) -> method.equals("getClientSession")
                        ? NotesOnlyClientSession.clientSession(notes)
                        : attributes.get(arguments[0]));
        MultivaluedHashMap<String, String> form = new MultivaluedHashMap<>();
        form.putSingle("code_verifier", verifier);
        FakeLogin request = new FakeLogin();
        request.results.put(
                "getContext",
                Fake.of(
                        KeycloakContext.class,
                        Map.of(
                                "getHttpRequest",
                                Fake.of(HttpRequest.class, Map.of("getDecodedFormParameters", form)))));
        // The realm accepts that its logins are not guarded.
        request.realmResults.put("getAttribute", "true");
        UserSessionModel userSession =
                Fake.of(UserSessionModel.class, Map.of("getRealm", request.realm, "getUser", request.signIn("anna")));
        return new RecordedLoginResolver(request.session, userSession, context)
                .resolve()
                .login();
    }
}
