package io.github.checktoken.login.broker;

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
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.JsonNote;

/**
 * The methods that an identity provider reported for one of its identities.
 *
 * <p>The mapper runs before Keycloak decides what happens with the identity, and one authentication session may see
 * several identities of one provider. So the methods are stored together with their identity, and count only for the
 * user who is linked to it. They are stored in a client note, because Keycloak clears all other notes before a first
 * broker login.
 *
 * @param identity SHA-256 hash (Base64 url) of the provider's alias and of the identity's id there
 * @param methods what the provider reported, as far as the mapper accepts it
 */
public record ReportedMethods(
        @JsonProperty("identity") String identity,
        @JsonProperty("methods") AuthenticationMethods methods) {

    private static final String NOTE = "checktoken.amr.broker.";
    private static final String RECEIVED = ReceivedIdentity.class.getName();

    /**
     * An identity that a provider has sent in this request. It is hashed late, because other mappers may still change
     * its id.
     */
    private record ReceivedIdentity(BrokeredIdentityContext context, AuthenticationMethods methods) {

        String alias() {
            return context.getIdpConfig().getAlias();
        }

        boolean isIn(AuthenticationSessionModel authSession) {
            return context.getAuthenticationSession().getTabId().equals(authSession.getTabId());
        }

        ReportedMethods toReportedMethods() {
            return new ReportedMethods(hash(alias(), context.getId()), methods);
        }
    }

    /**
     * Called by the mapper. If a user links a further account, nothing is stored, because that is not a login.
     *
     * @param methods what the provider reported; contains a use of {@code mfa}, marked as multi-factor, only if the
     *     provider is trusted for it
     */
    static void receive(KeycloakSession session, BrokeredIdentityContext context, AuthenticationMethods methods) {
        // Keycloak removes this note only after the mappers have run.
        String linking =
                context.getAuthenticationSession().getAuthNote(IdentityBrokerService.LINKING_IDENTITY_PROVIDER);
        if (linking == null) {
            session.setAttribute(RECEIVED, new ReceivedIdentity(context, methods));
        }
    }

    /** Stores what a provider has sent in this request for the following requests. */
    public static void saveReceived(KeycloakSession session, AuthenticationSessionModel authSession) {
        ReceivedIdentity received = session.getAttribute(RECEIVED, ReceivedIdentity.class);
        if (received != null && received.isIn(authSession)) {
            authSession.setClientNote(NOTE + received.alias(), JsonNote.write(received.toReportedMethods()));
        }
    }

    /**
     * Returns the alias of the provider through which the user signed in. Keycloak notes it when it has accepted the
     * identity.
     *
     * @return null also for a login that went to a provider and was then restarted, or that only links an account
     */
    public static String providerAlias(AuthenticationSessionModel authSession) {
        return authSession.getUserSessionNotes().get(Details.IDENTITY_PROVIDER);
    }

    /** Whether a provider has signed this user in during this login, with or without our mapper. */
    public static boolean hasSignedIn(KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        // During the post login flow Keycloak stores the identity; after that flow it notes the provider and the
        // username.
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

    /**
     * @return what the provider of this login reported; {@code NONE} if it was not for an identity to which this user
     *     is linked
     */
    public static AuthenticationMethods of(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        String alias = providerAlias(authSession);
        String id = alias == null ? null : idAtProvider(alias, session, authSession, user);
        return id == null
                ? AuthenticationMethods.NONE
                : reported(alias, session, authSession)
                        .filter(reported -> reported.identity.equals(hash(alias, id)))
                        .map(ReportedMethods::methods)
                        .orElse(AuthenticationMethods.NONE);
    }

    private static Optional<ReportedMethods> reported(
            String alias, KeycloakSession session, AuthenticationSessionModel authSession) {
        ReceivedIdentity received = session.getAttribute(RECEIVED, ReceivedIdentity.class);
        return received != null
                        && received.isIn(authSession)
                        && received.alias().equals(alias)
                ? Optional.of(received.toReportedMethods())
                : JsonNote.read(authSession.getClientNote(NOTE + alias), ReportedMethods.class);
    }

    /**
     * Finds the user's id at a provider. A transient user has no link, so for this user it is read from Keycloak's note
     * of who signed in, which contains the alias and the id for OpenID Connect.
     *
     * @return null if the user has no identity at this provider
     */
    private static String idAtProvider(
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
