package io.github.checktoken.keycloak;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.RealmModel;

import io.github.checktoken.keycloak.LoginGuard.Reason;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LoginGuardTest {

    private final Map<String, String> attributes = new HashMap<>();
    private final RealmModel realm =
            Fake.of(RealmModel.class, (method, arguments) -> attributes.get((String) arguments[0]));
    private final LoginGuard guard = new LoginGuard(null);

    @Test
    void attributeDecidesUnlessTheServerGuardsNone() {
        attributes.put(LoginGuard.REALM_ATTRIBUTE, "on");
        assertEquals(Reason.REALM_ON, guard.reason(LoginGuardMode.USED, realm));
        assertEquals(Reason.REALM_ON, guard.reason(LoginGuardMode.ALL, realm));
        assertEquals(Reason.SERVER_OFF, guard.reason(LoginGuardMode.OFF, realm));
        attributes.put(LoginGuard.REALM_ATTRIBUTE, "off");
        assertEquals(Reason.REALM_OFF, guard.reason(LoginGuardMode.USED, realm));
        assertEquals(Reason.REALM_OFF, guard.reason(LoginGuardMode.ALL, realm));
        assertEquals(Reason.SERVER_OFF, guard.reason(LoginGuardMode.OFF, realm));
    }

    @Test
    void serverCanGuardAllRealms() {
        assertEquals(Reason.SERVER_ALL, guard.reason(LoginGuardMode.ALL, realm));
    }

    @Test
    void onlySomeReasonsGuard() {
        assertTrue(Reason.REALM_ON.isGuarded() && Reason.SERVER_ALL.isGuarded() && Reason.USED.isGuarded());
        assertFalse(Reason.REALM_OFF.isGuarded()
                || Reason.SERVER_OFF.isGuarded()
                || Reason.UNUSED.isGuarded()
                || Reason.ABSENT.isGuarded());
    }

    @Test
    void guardIsInTheJarOfThisBuild() {
        attributes.put(LoginGuard.REALM_ATTRIBUTE, "on");
        assertEquals(Reason.REALM_ON, guard.reason(realm));
    }

    /** The warning about a data provider names it. */
    @Test
    void settingThatSwitchesTheGuardOffHasItsName() {
        assertEquals(Optional.of("checktoken.login.gate"), Reason.REALM_OFF.switchedOffBy());
        assertEquals(
                Optional.of("--spi-authentication-sessions--checktoken--guard"), Reason.SERVER_OFF.switchedOffBy());
        assertEquals(Optional.empty(), Reason.UNUSED.switchedOffBy());
        assertEquals(Optional.empty(), Reason.ABSENT.switchedOffBy());
    }

    @Test
    void realmAcceptsTheLackOfAGuardOnlyIfItSaysSo() {
        assertFalse(guard.isUnguardedAccepted(realm));
        attributes.put(LoginGuard.ACCEPTS_UNGUARDED, "yes");
        assertFalse(guard.isUnguardedAccepted(realm));
        attributes.put(LoginGuard.ACCEPTS_UNGUARDED, "true");
        assertTrue(guard.isUnguardedAccepted(realm));
    }
}
