package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.regex.Pattern;

import org.keycloak.models.ClientSessionContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.mappers.OIDCAccessTokenMapper;
import org.keycloak.protocol.oidc.mappers.OIDCIDTokenMapper;
import org.keycloak.protocol.oidc.mappers.TokenIntrospectionTokenMapper;
import org.keycloak.protocol.oidc.mappers.UserInfoTokenMapper;
import org.keycloak.representations.IDToken;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.keycloak.OwnProtocolMapper;

/** Adds {@code given_name_array}, a list of the user's first names. */
public final class GivenNamesMapper extends OwnProtocolMapper
        implements OIDCAccessTokenMapper, OIDCIDTokenMapper, UserInfoTokenMapper, TokenIntrospectionTokenMapper {

    public static final String PROVIDER_ID = "oidc-given-names-mapper";

    static final String CLAIM = "given_name_array";

    private static final Pattern SPACES = Pattern.compile("\\p{IsWhite_Space}+");

    public GivenNamesMapper() {
        super(
                PROVIDER_ID,
                "Given names as a list",
                "Adds given_name_array: the person's first name, split on spaces.",
                tokenSwitches(GivenNamesMapper.class));
    }

    @Override
    protected void setClaim(
            IDToken token,
            ProtocolMapperModel mapper,
            UserSessionModel userSession,
            KeycloakSession session,
            ClientSessionContext context) {
        List<String> names = split(userSession.getUser().getFirstName());
        if (!names.isEmpty()) {
            token.getOtherClaims().put(CLAIM, names);
        }
    }

    /**
     * Splits on every white space of Unicode, including no-break spaces, which word processors put between names.
     *
     * @param firstName null if the user has none
     */
    static List<String> split(String firstName) {
        return firstName == null
                ? List.of()
                : SPACES.splitAsStream(firstName).filter(StringUtil::isNotBlank).toList();
    }
}
