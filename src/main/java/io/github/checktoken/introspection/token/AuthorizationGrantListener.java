package io.github.checktoken.introspection.token;

import org.keycloak.OAuth2Constants;
import org.keycloak.events.Details;
import org.keycloak.events.Event;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.OIDCConfigAttributes;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.RealmUse;
import io.github.checktoken.keycloak.UserEventListener;

/**
 * Records the user of each token of the JWT authorization grant when Keycloak reports it, in a realm with a data provider. Keycloak's {@code EventBuilder}
 * swallows exceptions of a listener: if something fails here, the token is not active for data providers.
 */
record AuthorizationGrantListener(KeycloakSession session) implements UserEventListener {

    /** The type of the event differs between Keycloak's versions. Only the token endpoint reports a grant type. */
    @Override
    public void onEvent(Event event) {
        if (event.getError() == null
                && event.getDetails() != null
                && OAuth2Constants.JWT_AUTHORIZATION_GRANT.equals(
                        event.getDetails().get(Details.GRANT_TYPE))
                && KeycloakCompatibility.supports(Part.INTROSPECTION)
                && RealmUse.usesIntrospection(session, session.getContext().getRealm())) {
            String tokenId = event.getDetails().get(Details.TOKEN_ID);
            if (tokenId != null && event.getUserId() != null) {
                new GrantedUserStore(session).put(tokenId, event.getUserId(), lifespan(event.getClientId()));
            }
        }
    }

    /** @return the longest time in seconds that the token can live, as in Keycloak's {@code TokenManager} */
    private int lifespan(String clientId) {
        RealmModel realm = session.getContext().getRealm();
        ClientModel client = realm.getClientByClientId(clientId);
        String own = client == null ? null : client.getAttribute(OIDCConfigAttributes.ACCESS_TOKEN_LIFESPAN);
        int lifespan = StringUtil.isBlank(own) ? realm.getAccessTokenLifespan() : Integer.parseInt(own);
        return lifespan > 0 ? lifespan : realm.getSsoSessionMaxLifespan();
    }
}
