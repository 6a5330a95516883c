package io.github.checktoken.keycloak;

import org.keycloak.models.RealmModel;

/** The realm attribute that opens the gate of logins, for a realm in which a username alone shall be enough. */
public final class LoginGateSwitch {

    public static final String REALM_ATTRIBUTE = "checktoken.login.gate";

    private static final String OFF = "off";

    private LoginGateSwitch() {}

    public static boolean isOff(RealmModel realm) {
        return OFF.equals(realm.getAttribute(REALM_ATTRIBUTE));
    }
}
