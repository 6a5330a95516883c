package io.github.checktoken.login.evidence;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.keycloak.broker.provider.BrokeredIdentityContext;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.services.resources.IdentityBrokerService;
import org.keycloak.sessions.AuthenticationSessionModel;

import com.fasterxml.jackson.annotation.JsonProperty;

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
 * @param level the realm's level for what the provider reported; null if the mapper gives it none
 */
public record IdentityProviderReport(
        @JsonProperty("identity") String identity,
        @JsonProperty("methods") AuthenticationMethods methods,
        @JsonProperty("level") Integer level) {

    private static final String NOTE = "checktoken.amr.broker.";

    /**
     * An identity that a provider has sent in this request. It is hashed late, because other mappers may still change
     * its id. The mapper leaves it with the request's session, from which only this class reads it.
     */
    private record ReceivedIdentity(BrokeredIdentityContext context, AuthenticationMethods methods, Integer level) {

        private static final String ATTRIBUTE = ReceivedIdentity.class.getName();

        static Optional<ReceivedIdentity> in(KeycloakSession session, AuthenticationSessionModel authSession) {
            return Optional.ofNullable(session.getAttribute(ATTRIBUTE, ReceivedIdentity.class))
                    .filter(received -> received.context
                            .getAuthenticationSession()
                            .getTabId()
                            .equals(authSession.getTabId()));
        }

        String alias() {
            return context.getIdpConfig().getAlias();
        }

        IdentityProviderReport toReport() {
            return new IdentityProviderReport(hash(alias(), context.getId()), methods, level);
        }
    }

    /**
     * Called by the identity provider mapper. If a user links a further account, nothing is stored, because that is not a
     * login.
     *
     * @param methods what the provider reported; contains a use of {@code mfa}, marked as multi-factor, only if the
     *     provider is trusted for it
     * @param level null if the mapper gives the login none
     */
    public static void receive(
            KeycloakSession session, BrokeredIdentityContext context, AuthenticationMethods methods, Integer level) {
        // Keycloak removes this note only after the mappers have run.
        String linking =
                context.getAuthenticationSession().getAuthNote(IdentityBrokerService.LINKING_IDENTITY_PROVIDER);
        if (linking == null) {
            session.setAttribute(ReceivedIdentity.ATTRIBUTE, new ReceivedIdentity(context, methods, level));
        }
    }

    /** Stores what a provider has sent in this request for the following requests. */
    static void saveReceived(KeycloakSession session, AuthenticationSessionModel authSession) {
        ReceivedIdentity.in(session, authSession)
                .ifPresent(received ->
                        authSession.setClientNote(NOTE + received.alias(), JsonNote.write(received.toReport())));
    }

    /**
     * @return what the provider of this login reported; {@code NONE} if it was not for an identity to which this user
     *     is linked
     */
    static AuthenticationMethods methods(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        return find(session, authSession, user)
                .map(IdentityProviderReport::methods)
                .orElse(AuthenticationMethods.NONE);
    }

    /** @return the realm's level for what the provider of this login reported for this user */
    static Optional<Integer> level(KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        return find(session, authSession, user).map(IdentityProviderReport::level);
    }

    private static Optional<IdentityProviderReport> find(
            KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        String alias = IdentityProviderLogin.aliasSoFar(authSession);
        String id = alias == null ? null : IdentityProviderLogin.idAtProvider(alias, session, authSession, user);
        return id == null
                ? Optional.empty()
                : ReceivedIdentity.in(session, authSession)
                        .filter(received -> received.alias().equals(alias))
                        .map(ReceivedIdentity::toReport)
                        .or(() -> JsonNote.read(authSession.getClientNote(NOTE + alias), IdentityProviderReport.class))
                        .filter(report -> report.identity.equals(hash(alias, id)));
    }

    private static String hash(String alias, String id) {
        return HashUtils.sha256UrlEncodedHash(alias + " " + id, StandardCharsets.UTF_8);
    }
}
