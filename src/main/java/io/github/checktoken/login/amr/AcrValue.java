package io.github.checktoken.login.amr;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.oidc.utils.AcrUtils;
import org.keycloak.representations.ClaimsRepresentation;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.util.JsonSerialization;

/**
 * Maps levels to values of {@code acr}, like Keycloak's mapper, but always with the realm's map and never with the
 * client's: whoever manages a client must not name a level higher than the realm does.
 */
final class AcrValue {

    private AcrValue() {}

    /**
     * @param level null if no level is known
     * @return the highest value of the request that the level satisfies; null if there is none
     */
    static String requested(AuthenticationSessionModel authSession, Integer level) {
        if (level == null) {
            return null;
        }
        Map<String, Integer> levels = AcrUtils.getAcrLoaMap(authSession.getRealm());
        String claims = ifReadable(authSession.getClientNote(OIDCLoginProtocol.CLAIMS_PARAM));
        String required = AcrUtils.mapLoaToAcr(level, levels, AcrUtils.getRequiredAcrValues(claims));
        if (required != null) {
            return required;
        }
        String acrValues = authSession.getClientNote(OIDCLoginProtocol.ACR_PARAM);
        return AcrUtils.mapLoaToAcr(level, levels, AcrUtils.getAcrValues(claims, acrValues, authSession.getClient()));
    }

    /** Keycloak has already warned of a parameter that cannot be read, and would do so again. */
    private static String ifReadable(String claims) {
        try {
            return claims == null || JsonSerialization.readValue(claims, ClaimsRepresentation.class) == null
                    ? null
                    : claims;
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * @param requested the value that the request preferred; null for none
     * @return the name of the level, or the number if the realm has no name for it and for lower ones
     */
    static String of(RealmModel realm, int level, String requested) {
        Map<String, Integer> levels = AcrUtils.getAcrLoaMap(realm);
        String acr = requested == null ? null : AcrUtils.mapLoaToAcr(level, levels, List.of(requested));
        if (acr == null) {
            acr = AcrUtils.mapLoaToAcr(level, levels, new TreeSet<>(levels.keySet()));
        }
        return acr == null ? String.valueOf(level) : acr;
    }
}
