package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Objects;

import jakarta.ws.rs.HttpMethod;

import org.keycloak.authentication.RequiredActionProvider;
import org.keycloak.authentication.requiredactions.DeleteCredentialAction;
import org.keycloak.common.util.Time;
import org.keycloak.credential.CredentialInput;
import org.keycloak.credential.CredentialInputValidator;
import org.keycloak.credential.CredentialModel;
import org.keycloak.credential.CredentialProvider;
import org.keycloak.credential.CredentialTypeMetadata;
import org.keycloak.credential.CredentialTypeMetadataContext;
import org.keycloak.models.AbstractKeycloakTransaction;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.models.SubjectCredentialManager;
import org.keycloak.models.UserModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.models.utils.KeycloakModelUtils;

import org.jboss.logging.Logger;

/** Stores, verifies and describes the only PIN of a user. It does not limit guesses; {@link PinVerifier} does. */
record PinCredentialProvider(KeycloakSession session)
        implements CredentialProvider<PasswordCredentialModel>, CredentialInputValidator {

    private static final Logger logger = Logger.getLogger(PinCredentialProvider.class);

    static PinCredentialProvider of(KeycloakSession session) {
        return (PinCredentialProvider)
                session.getProvider(CredentialProvider.class, PinCredentialProviderFactory.PROVIDER_ID);
    }

    @Override
    public String getType() {
        return PinCredential.TYPE;
    }

    @Override
    public boolean supportsCredentialType(String type) {
        return PinCredential.TYPE.equals(type);
    }

    @Override
    public boolean isConfiguredFor(RealmModel realm, UserModel user, String type) {
        return supportsCredentialType(type) && getDefaultCredential(session, realm, user) != null;
    }

    @Override
    public boolean isValid(RealmModel realm, UserModel user, CredentialInput input) {
        String pin = input.getChallengeResponse();
        PasswordCredentialModel stored = getDefaultCredential(session, realm, user);
        if (pin == null || stored == null || !PinCredential.matches(session, stored, pin)) {
            return false;
        }
        if (PinCredential.isOutdated(session, realm, stored)) {
            rehashAfterwards(user, stored, pin);
        }
        return true;
    }

    /**
     * Stores the PIN. It replaces all PINs that the user has; there may be several if a first PIN was chosen in parallel
     * requests.
     */
    @Override
    public CredentialModel createCredential(RealmModel realm, UserModel user, PasswordCredentialModel pin) {
        SubjectCredentialManager credentials = user.credentialManager();
        List<CredentialModel> old =
                credentials.getStoredCredentialsByTypeStream(PinCredential.TYPE).toList();
        if (pin.getCreatedDate() == null) {
            pin.setCreatedDate(Time.currentTimeMillis());
        }
        if (old.isEmpty()) {
            return credentials.createStoredCredential(pin);
        }
        old.stream().skip(1).map(CredentialModel::getId).forEach(credentials::removeStoredCredentialById);
        pin.setId(old.get(0).getId());
        credentials.updateStoredCredential(pin);
        return pin;
    }

    @Override
    public boolean deleteCredential(RealmModel realm, UserModel user, String id) {
        return user.credentialManager().removeStoredCredentialById(id);
    }

    @Override
    public PasswordCredentialModel getCredentialFromModel(CredentialModel model) {
        return PasswordCredentialModel.createFromCredentialModel(model);
    }

    @Override
    public CredentialTypeMetadata getCredentialTypeMetadata(CredentialTypeMetadataContext context) {
        UserModel user = context.getUser();
        boolean change = user != null && user.credentialManager().isConfiguredFor(PinCredential.TYPE);
        CredentialTypeMetadata.CredentialTypeMetadataBuilder metadata = CredentialTypeMetadata.builder()
                .type(PinCredential.TYPE)
                .category(CredentialTypeMetadata.Category.TWO_FACTOR)
                .displayName("pin-display-name")
                .helpText("pin-help-text")
                .iconCssClass("kcAuthenticatorPasswordClass")
                .removeable(user != null && isRemovableBy(user));
        return (change
                        ? metadata.updateAction(ConfigurePin.PROVIDER_ID)
                        : metadata.createAction(ConfigurePin.PROVIDER_ID))
                .build(session);
    }

    /**
     * Whether the user may remove the PIN. Somebody who has only the password could otherwise remove the PIN and choose
     * another one. Keycloak asks this before a user removes a PIN, but never before an administrator does.
     */
    private boolean isRemovableBy(UserModel user) {
        // With a GET the account console only lists what can be removed; it asks for a new login before it removes
        // anything. During a login, a GET may be the removal itself.
        boolean listing = session.getContext().getAuthenticationSession() == null
                && HttpMethod.GET.equals(session.getContext().getHttpRequest().getHttpMethod());
        int maxAge = listing
                ? Integer.MAX_VALUE
                : session.getProvider(RequiredActionProvider.class, DeleteCredentialAction.PROVIDER_ID)
                        .getMaxAuthAge(session);
        return new PinManagementPermission(session, user, maxAge).allowsRemoval();
    }

    /**
     * Uses a transaction of its own, as Keycloak does for passwords. Of parallel logins, one can store its hash; the others
     * go on without, as in Keycloak's {@code PasswordCredentialProvider}.
     */
    private void rehashAfterwards(UserModel user, PasswordCredentialModel outdated, String pin) {
        KeycloakSessionFactory factory = session.getKeycloakSessionFactory();
        session.getTransactionManager().enlistAfterCompletion(new AbstractKeycloakTransaction() {
            @Override
            protected void commitImpl() {
                try {
                    KeycloakModelUtils.runJobInTransaction(
                            factory, session.getContext(), later -> rehash(later, user.getId(), outdated, pin));
                } catch (RuntimeException e) {
                    logger.debugf(
                            "The PIN is not hashed anew now (%s)", e.getClass().getName());
                }
            }

            @Override
            protected void rollbackImpl() {}
        });
    }

    /** Does nothing if the PIN has been changed or removed in the meantime. */
    private static void rehash(KeycloakSession session, String userId, PasswordCredentialModel outdated, String pin) {
        RealmModel realm = session.getContext().getRealm();
        UserModel user = session.users().getUserById(realm, userId);
        CredentialModel current =
                user == null ? null : user.credentialManager().getStoredCredentialById(outdated.getId());
        if (current != null && Objects.equals(current.getSecretData(), outdated.getSecretData())) {
            PasswordCredentialModel rehashed = PinCredential.hash(session, realm, pin);
            rehashed.setId(current.getId());
            rehashed.setCreatedDate(current.getCreatedDate());
            rehashed.setUserLabel(current.getUserLabel());
            user.credentialManager().updateStoredCredential(rehashed);
        }
    }
}
