package io.github.checktoken.login.evidence;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.authentication.forms.RegistrationUserCreation;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Determines what a user has proved since the last request, from the credentials that were used and the executions that
 * have succeeded since then.
 *
 * <p>The methods come from the credential types that Keycloak lists, because the form that was shown says less (a
 * passkey on the password form is not a password). An execution counts only for the Authenticator Reference that an
 * administrator has configured on it.
 */
final class NewEvidence {

    private static final Logger logger = Logger.getLogger(NewEvidence.class);

    private final KeycloakSession session;
    private final RealmModel realm;
    private final Set<String> credentialTypes;
    private final List<AuthenticationExecutionModel> executions;

    /**
     * @param credentials credential types that Keycloak has added to its list since the last request, in order
     * @param executionIds executions that have succeeded since the last request
     */
    NewEvidence(
            KeycloakSession session,
            AuthenticationSessionModel authSession,
            List<String> credentials,
            Set<String> executionIds) {
        this.session = session;
        this.realm = authSession.getRealm();
        this.credentialTypes = new HashSet<>(credentials);
        if (!AuthenticatorUtil.isPasswordValidated(authSession)) {
            // The username form alone and a password reset also add "password" to the list.
            credentialTypes.remove(PasswordCredentialModel.TYPE);
        }
        this.executions = executionIds.stream()
                .map(realm::getAuthenticationExecutionById)
                .filter(execution -> execution != null && !execution.isAuthenticatorFlow())
                .toList();
    }

    /**
     * Whether the user has registered. An account that a first broker login creates does not count, because it is not
     * linked to the identity yet.
     */
    boolean isRegistration() {
        return executions.stream()
                .map(AuthenticationExecutionModel::getAuthenticator)
                .anyMatch(RegistrationUserCreation.PROVIDER_ID::equals);
    }

    AuthenticationMethods methods() {
        List<AuthenticationMethodUse> uses = new ArrayList<>();
        Set<String> typesWithReference = new HashSet<>();
        for (AuthenticationExecutionModel execution : executions) {
            String type = CredentialTypes.checkedBy(session, execution);
            Map<String, String> config = config(execution);
            // The form can succeed with a credential other than its own, or with none.
            boolean unused = CredentialTypes.method(type).isPresent() && !credentialTypes.contains(type);
            if (!unused && StringUtil.isNotBlank(config.get(Constants.AUTHENTICATION_EXECUTION_REFERENCE_VALUE))) {
                typesWithReference.add(type);
                addReference(uses, execution, config, type);
            }
        }
        for (String type : credentialTypes) {
            AuthenticationMethod method = CredentialTypes.method(type).orElse(null);
            if (method != null && !typesWithReference.contains(type)) {
                uses.add(use(method.value(), type, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION));
            }
        }
        return new AuthenticationMethods(uses);
    }

    /** Adds the Authenticator Reference as a method, unless its max age is not a number. */
    private void addReference(
            List<AuthenticationMethodUse> uses,
            AuthenticationExecutionModel execution,
            Map<String, String> config,
            String type) {
        String reference = config.get(Constants.AUTHENTICATION_EXECUTION_REFERENCE_VALUE);
        String maxAge = config.get(Constants.AUTHENTICATION_EXECUTION_REFERENCE_MAX_AGE);
        try {
            long seconds = StringUtil.isBlank(maxAge)
                    ? AuthenticationMethodUse.AS_LONG_AS_THE_SESSION
                    : Math.max(0, Long.parseLong(maxAge.strip()));
            uses.add(use(reference.strip(), type, seconds));
        } catch (NumberFormatException e) {
            logger.warnf(
                    "amr: the max age of the authenticator reference of execution %s (%s) is not a number of seconds,"
                            + " so its method is left out",
                    execution.getId(), SingleLineText.of(execution.getAuthenticator()));
        }
    }

    private AuthenticationMethodUse use(String method, String type, long maxAge) {
        return new AuthenticationMethodUse(
                method,
                CredentialTypes.isMultiFactor(realm, type),
                CurrentTime.seconds(),
                maxAge,
                credentialTypes.contains(type) ? type : null);
    }

    private Map<String, String> config(AuthenticationExecutionModel execution) {
        AuthenticatorConfigModel config = execution.getAuthenticatorConfig() == null
                ? null
                : realm.getAuthenticatorConfigById(execution.getAuthenticatorConfig());
        return config == null || config.getConfig() == null ? Map.of() : config.getConfig();
    }
}
