package io.github.checktoken.broker;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.util.PostBrokerLoginConstants;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.broker.provider.BrokeredIdentityContext;
import org.keycloak.events.Details;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.FederatedIdentityModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.services.resources.IdentityBrokerService;
import org.keycloak.sessions.AuthenticationSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.method.AuthenticationMethods;
import io.github.checktoken.session.JsonNote;

/**
 * The methods that an identity provider vouched for, of one of its identities.
 *
 * <p>The mapper runs before Keycloak decides what becomes of the identity, and one authentication session may see several
 * identities of one provider. So the identity is kept with its methods, and they count only for the user to whom it is
 * linked. They wait in a client note, because Keycloak clears all other notes before a first broker login.
 *
 * @param identity a hash of the provider's alias and of the identity's id there
 */
public record BrokeredMethods(
        @JsonProperty("identity") String identity,
        @JsonProperty("methods") AuthenticationMethods methods) {

    private static final String NOTE = "checktoken.amr.broker.";
    private static final String ARRIVAL = Arrival.class.getName();

    /** An identity that has arrived in this request. Other mappers may still change its id. */
    private record Arrival(BrokeredIdentityContext context, AuthenticationMethods methods) {

        String alias() {
            return context.getIdpConfig().getAlias();
        }

        boolean isIn(AuthenticationSessionModel authSession) {
            return context.getAuthenticationSession().getTabId().equals(authSession.getTabId());
        }

        BrokeredMethods brokeredMethods() {
            return new BrokeredMethods(hash(alias(), context.getId()), methods);
        }
    }

    /**
     * Called by the mapper. Nothing is kept where a user links a further account: that is no login.
     *
     * @param methods with a use of {@code mfa} that is multi-factor where the provider's word for it is trusted
     */
    static void arrived(KeycloakSession session, BrokeredIdentityContext context, AuthenticationMethods methods) {
        // Keycloak removes this note only after the mappers.
        String linking =
                context.getAuthenticationSession().getAuthNote(IdentityBrokerService.LINKING_IDENTITY_PROVIDER);
        if (linking == null) {
            session.setAttribute(ARRIVAL, new Arrival(context, methods));
        }
    }

    /** Keeps what has arrived in this request for the requests that follow. */
    public static void keep(KeycloakSession session, AuthenticationSessionModel authSession) {
        Arrival arrival = session.getAttribute(ARRIVAL, Arrival.class);
        if (arrival != null && arrival.isIn(authSession)) {
            authSession.setClientNote(NOTE + arrival.alias(), JsonNote.write(arrival.brokeredMethods()));
        }
    }

    /**
     * The provider through which this login went, or null. Keycloak notes it when it has accepted the identity. A login
     * that went to a provider and was then begun anew, or that only links an account, names none.
     */
    public static String providerAlias(AuthenticationSessionModel authSession) {
        return authSession.getUserSessionNotes().get(Details.IDENTITY_PROVIDER);
    }

    /** Whether a provider has signed this user in, in this login, with or without a mapper of ours. */
    public static boolean hasSignedIn(KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        // In the post login flow Keycloak keeps the identity until that flow ends; then it notes provider and username.
        SerializedBrokeredIdentityContext identity = SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                authSession, PostBrokerLoginConstants.PBL_BROKERED_IDENTITY_CONTEXT);
        String alias = identity == null ? providerAlias(authSession) : identity.getIdentityProviderId();
        FederatedIdentityModel link =
                alias == null ? null : session.users().getFederatedIdentity(authSession.getRealm(), user, alias);
        return link != null
                && (identity == null
                        ? Objects.equals(
                                link.getUserName(),
                                authSession.getUserSessionNotes().get(Details.IDENTITY_PROVIDER_USERNAME))
                        : link.getUserId().equals(identity.getId()));
    }

    /** What the provider of this login vouched for, if it was for this user's identity there. */
    public static AuthenticationMethods of(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        String alias = providerAlias(authSession);
        String id = alias == null ? null : idAt(alias, session, authSession, user);
        return id == null
                ? AuthenticationMethods.NONE
                : kept(alias, session, authSession)
                        .filter(kept -> kept.identity.equals(hash(alias, id)))
                        .map(BrokeredMethods::methods)
                        .orElse(AuthenticationMethods.NONE);
    }

    private static Optional<BrokeredMethods> kept(
            String alias, KeycloakSession session, AuthenticationSessionModel authSession) {
        Arrival arrival = session.getAttribute(ARRIVAL, Arrival.class);
        return arrival != null && arrival.isIn(authSession) && arrival.alias().equals(alias)
                ? Optional.of(arrival.brokeredMethods())
                : JsonNote.read(authSession.getClientNote(NOTE + alias), BrokeredMethods.class);
    }

    /**
     * The user's id at a provider, or null. A transient user has no link; there Keycloak's note of who signed in is read,
     * which holds alias and id for OpenID Connect.
     */
    private static String idAt(
            String alias, KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        if (LightweightUserAdapter.isLightweightUser(user)) {
            String brokerUserId = authSession.getAuthNote(AuthenticationProcessor.BROKER_USER_ID);
            return brokerUserId != null && brokerUserId.startsWith(alias + ".")
                    ? brokerUserId.substring(alias.length() + 1)
                    : null;
        }
        FederatedIdentityModel link = session.users().getFederatedIdentity(authSession.getRealm(), user, alias);
        return link == null ? null : link.getUserId();
    }

    private static String hash(String alias, String id) {
        return HashUtils.sha256UrlEncodedHash(alias + " " + id, StandardCharsets.UTF_8);
    }
}
