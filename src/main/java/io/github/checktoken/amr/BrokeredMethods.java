package io.github.checktoken.amr;

import org.keycloak.events.Details;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * The methods that an identity provider vouched for, kept for the login that goes on here: in a client note, because
 * resetting a flow clears all others before a first broker login.
 */
final class BrokeredMethods {

    private static final String NOTE = "checktoken.amr.broker.";

    private BrokeredMethods() {}

    /**
     * Called by the mapper of an identity provider, before any local step of the login.
     *
     * @param methods with a use of {@code mfa} that is {@link MethodUse#multiFactor} where the provider's word for it is
     *     trusted; one that is not tells nothing
     */
    static void set(AuthenticationSessionModel login, String providerAlias, AuthenticationMethods methods) {
        login.setClientNote(NOTE + providerAlias, Notes.write(methods));
    }

    /**
     * The provider through which this login went, or null. A login that went to a provider and was then begun anew, or
     * that only links an account, names none.
     */
    static String providerAlias(AuthenticationSessionModel login) {
        return login.getUserSessionNotes().get(Details.IDENTITY_PROVIDER);
    }

    /** Those of the provider through which this login went. */
    static AuthenticationMethods of(AuthenticationSessionModel login) {
        String providerAlias = providerAlias(login);
        return providerAlias == null
                ? AuthenticationMethods.NONE
                : Notes.read(login.getClientNote(NOTE + providerAlias), AuthenticationMethods.class)
                        .orElse(AuthenticationMethods.NONE);
    }
}
