package io.github.checktoken.login.gate;

import java.util.List;

import org.keycloak.models.Constants;
import org.keycloak.protocol.saml.SamlProtocol;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * What a client, or the policy for it, asks of whoever signs in, and Keycloak notes as authentication notes: those are gone
 * when the login begins anew, be it in this tab, in another one or from a cookie. Client notes stay, so each of these is
 * kept as one, too.
 */
final class ClientDemands {

    private static final String PREFIX = "checktoken.demand.";

    static final List<String> NOTES = List.of(
            Constants.REQUESTED_AUTHENTICATION_FLOW,
            Constants.AUTHENTICATION_FLOW_LEVEL_OF_AUTHENTICATION,
            Constants.CLIENT_POLICY_REQUESTED_ACR,
            SamlProtocol.SAML_LOGIN_REQUEST_FORCEAUTHN);

    private ClientDemands() {}

    /** @return the authentication note of this name, also if it was one of these and the login has begun anew */
    static String note(AuthenticationSessionModel authSession, String name) {
        String note = authSession.getAuthNote(name);
        return note == null && NOTES.contains(name) ? authSession.getClientNote(PREFIX + name) : note;
    }

    static void keep(AuthenticationSessionModel authSession, String name, String value) {
        if (NOTES.contains(name)) {
            authSession.setClientNote(PREFIX + name, value);
        }
    }

    static void forget(AuthenticationSessionModel authSession, String name) {
        if (NOTES.contains(name)) {
            authSession.removeClientNote(PREFIX + name);
        }
    }
}
