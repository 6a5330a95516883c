package io.github.checktoken.introspection.endpoint;

import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionModel.SessionPersistenceState;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.protocol.ProtocolMapperUtils;
import org.keycloak.protocol.oidc.mappers.OIDCAttributeMapperHelper;
import org.keycloak.protocol.oidc.utils.AcrUtils;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.managers.AuthenticationManager;

import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.token.ActiveToken;
import io.github.checktoken.keycloak.CurrentTime;

/** An answer about a person who does not exist, made like a real one. The user id is a new one each time. */
public final class ExampleAnswer {

    private static final Map<String, String> ATTRIBUTES = Map.of(
            "username", "camille",
            "email", "camille@example.org",
            "firstName", "Camille Louise",
            "lastName", "Moreau",
            "gender", "female",
            "birthdate", "1988-03-14",
            "birthplace", "75107",
            "birthcountry", "99100");

    private ExampleAnswer() {}

    /** @return the payload of the answer to a token that has all registered scopes; nothing is stored */
    public static Map<String, Object> of(KeycloakSession session, DataProvider dataProvider) {
        RealmModel realm = dataProvider.client().getRealm();
        String id = UUID.randomUUID().toString();
        UserModel person = person(session, realm, dataProvider);
        UserSessionModel userSession = session.sessions()
                .createUserSession(id, realm, person, "", "", "", false, null, null, SessionPersistenceState.TRANSIENT);
        String scope = String.join(" ", dataProvider.claimsByScope(session).keySet());
        Map<String, Integer> levels = new TreeMap<>(AcrUtils.getAcrLoaMap(realm));
        long now = CurrentTime.seconds();
        userSession.setNote(AuthenticationManager.AUTH_TIME, String.valueOf(now));
        AccessToken token = new AccessToken();
        token.id(UUID.randomUUID().toString()).issuedFor("example").iat(now).exp(now + realm.getAccessTokenLifespan());
        ActiveToken active = new ActiveToken(
                token, levels.isEmpty() ? "1" : levels.keySet().iterator().next(), userSession, now);
        return IntrospectionResponseBuilder.payload(
                session,
                dataProvider.client(),
                TokenIntrospectionClaim.active(
                        active,
                        dataProvider.disclose(session, scope, userSession),
                        dataProvider.config().disclosesAuthTime()));
    }

    /** With a value for each attribute that a mapper reads. Keycloak would look other kinds of users up. */
    private static UserModel person(KeycloakSession session, RealmModel realm, DataProvider dataProvider) {
        UserModel person = new LightweightUserAdapter(session, realm, null);
        person.grantRole(realm.getDefaultRole());
        ATTRIBUTES.forEach(person::setSingleAttribute);
        dataProvider.mappers().forEach(mapper -> {
            String attribute = mapper.getConfig().get(ProtocolMapperUtils.USER_ATTRIBUTE);
            boolean isText =
                    "String".equals(mapper.getConfig().getOrDefault(OIDCAttributeMapperHelper.JSON_TYPE, "String"));
            if (attribute != null && !(isText && person.getAttributes().containsKey(attribute))) {
                // What is no text is a number, a boolean or JSON.
                person.setSingleAttribute(attribute, isText ? "(" + attribute + ")" : "1");
            }
        });
        return person;
    }
}
