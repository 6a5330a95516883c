package io.github.checktoken.introspection.token;

import org.keycloak.models.UserSessionModel;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.managers.AuthenticationManager;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** When the person signed in for a token that was issued at 1000. */
class ActiveTokenTest {

    @Test
    void loginOfTheSessionIsThatOfTheToken() {
        assertEquals(990L, authTime("eidas1", "990", 990L));
    }

    /** A lightweight token may lack the claim. */
    @Test
    void tokenWithoutTheClaimHasTheLoginOfItsSession() {
        assertEquals(990L, authTime("eidas1", "990", null));
    }

    @Test
    void earlierLoginIsThatOfTheToken() {
        assertEquals(990L, authTime("eidas1", "2000", 990L));
    }

    @Test
    void tokenCanBeIssuedInTheSecondOfItsLogin() {
        assertEquals(1000L, authTime("eidas1", "1000", 1000L));
        assertNull(authTime("eidas1", "1001", null));
    }

    @Test
    void laterLoginOfTheSessionIsNotThatOfATokenWithoutTheClaim() {
        assertNull(authTime("eidas1", "2000", null));
    }

    /** A mapper of the service provider can set the claim. */
    @Test
    void claimThatIsLaterThanTheLoginIsNotBelieved() {
        assertEquals(500L, authTime("eidas1", "500", 999L));
    }

    /** A refreshed token has the time of the session's last login, which was at another service provider. */
    @Test
    void laterLoginAtAnotherServiceProviderIsNotThatOfTheToken() {
        assertEquals(500L, authTime("eidas1", "990", 990L, 500L));
        assertEquals(500L, authTime("eidas1", "990", null, 500L));
    }

    @Test
    void nobodyIsKnownToHaveSignedInWithoutALevel() {
        assertNull(authTime(null, "990", 990L));
    }

    @Test
    void sessionThatDoesNotSayWhenHasNoTime() {
        assertNull(authTime("eidas1", null, 990L));
    }

    private static Long authTime(String acr, String noteOfTheSession, Long claim) {
        return authTime(acr, noteOfTheSession, claim, null);
    }

    private static Long authTime(String acr, String noteOfTheSession, Long claim, Long lastLogin) {
        AccessToken token = new AccessToken();
        token.iat(1000L);
        token.setAuth_time(claim);
        UserSessionModel userSession = Fake.of(
                UserSessionModel.class,
                (method, arguments) -> method.equals("getNote") && AuthenticationManager.AUTH_TIME.equals(arguments[0])
                        ? noteOfTheSession
                        : null);
        return new ActiveToken(token, acr, userSession, lastLogin).authTime();
    }
}
