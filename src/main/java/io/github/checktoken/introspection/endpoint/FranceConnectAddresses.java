package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.NotFoundException;

import org.keycloak.events.EventBuilder;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.LoginProtocol;
import org.keycloak.protocol.LoginProtocolFactory;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.OIDCLoginProtocolService;

/**
 * The addresses of FranceConnect's API that service providers write into their settings, in realms that ask for them.
 * Programs call token, userinfo and keys, and many follow no redirect there. So Keycloak's own resources answer at these
 * addresses, with all that they check. The rules of a proxy for Keycloak's own addresses do not know them: that is why
 * a realm has to ask.
 */
record FranceConnectAddresses(KeycloakSession session) {

    /** A realm's attribute, which is {@code true}. */
    static final String REALM_ATTRIBUTE = "checktoken.franceconnect.addresses";

    /** @throws NotFoundException if the realm does not ask for them; then Keycloak answers as at any unknown path */
    void require() {
        if (!Boolean.parseBoolean(session.getContext().getRealm().getAttribute(REALM_ATTRIBUTE))) {
            throw new NotFoundException();
        }
    }

    /**
     * @return Keycloak's own endpoints
     * @throws NotFoundException also if the path goes on, as to Keycloak's own introspection below its token endpoint
     */
    OIDCLoginProtocolService keycloak() {
        require();
        LoginProtocolFactory factory = (LoginProtocolFactory) session.getKeycloakSessionFactory()
                .getProviderFactory(LoginProtocol.class, OIDCLoginProtocol.LOGIN_PROTOCOL);
        if (factory == null
                || !ServicePaths.isCalledByPrograms(
                        session.getContext().getUri().getPath())) {
            throw new NotFoundException();
        }
        RealmModel realm = session.getContext().getRealm();
        EventBuilder event =
                new EventBuilder(realm, session, session.getContext().getConnection());
        return (OIDCLoginProtocolService) factory.createProtocolEndpoint(session, event);
    }
}
