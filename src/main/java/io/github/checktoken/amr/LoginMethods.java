package io.github.checktoken.amr;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.authentication.authenticators.broker.IdpUsernamePasswordFormFactory;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.credential.PasswordCredentialModel;
import org.keycloak.models.credential.WebAuthnCredentialModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.emailcode.EmailCodeAuthenticatorFactory;
import org.jboss.logging.Logger;

/**
 * What a person did in one login, read from its authentication session when it ends.
 *
 * <p>Keycloak lists the credential types that were used; which form was shown says less (a passkey on the password form
 * is no password). The executions that succeeded tell where an administrator has set an Authenticator Reference.
 */
final class LoginMethods {

    private static final Logger logger = Logger.getLogger(LoginMethods.class);

    private final KeycloakSession session;
    private final RealmModel realm;
    private final AuthenticationSessionModel login;
    private final long now;

    private final Set<String> credentialTypes = new LinkedHashSet<>();
    private final List<MethodUse> uses = new ArrayList<>();

    /** @param now in seconds since the epoch */
    LoginMethods(KeycloakSession session, AuthenticationSessionModel login, long now) {
        this.session = session;
        this.realm = login.getRealm();
        this.login = login;
        this.now = now;
    }

    AuthenticationMethods read() {
        credentialTypes.addAll(AuthenticatorUtil.getAuthnCredentials(login));
        if (!AuthenticatorUtil.isPasswordValidated(login)) {
            // The username form alone, and a password that was reset, say "password" as well.
            credentialTypes.remove(PasswordCredentialModel.TYPE);
        }
        List<AuthenticationExecutionModel> steps = new LoginSteps(session, login).read();
        if (BrokeredMethods.providerAlias(login) != null) {
            credentialTypes.retainAll(checkedIn(steps));
        }
        Set<String> explained = new LinkedHashSet<>();
        steps.forEach(step -> addExecution(step, explained));
        credentialTypes.stream().filter(type -> !explained.contains(type)).forEach(this::addCredential);
        return BrokeredMethods.of(login).and(new AuthenticationMethods(uses));
    }

    private Set<String> checkedIn(List<AuthenticationExecutionModel> steps) {
        Set<String> types = new HashSet<>();
        for (AuthenticationExecutionModel step : steps) {
            types.add(CredentialMethods.checkedBy(session, step));
            if (IdpUsernamePasswordFormFactory.PROVIDER_ID.equals(step.getAuthenticator())) {
                types.add(WebAuthnCredentialModel.TYPE_PASSWORDLESS); // It takes a passkey as well.
            }
        }
        return types;
    }

    private void addExecution(AuthenticationExecutionModel execution, Set<String> explained) {
        String type = CredentialMethods.checkedBy(session, execution);
        if (CredentialMethods.of(type).isPresent() && !credentialTypes.contains(type)) {
            return;
        }
        Map<String, String> config = config(execution);
        String reference = config.get(Constants.AUTHENTICATION_EXECUTION_REFERENCE_VALUE);
        if (!StringUtil.isBlank(reference)) {
            explained.add(type);
            addReference(execution, reference.strip(), config, CredentialMethods.isMultiFactor(realm, type));
        } else if (EmailCodeAuthenticatorFactory.PROVIDER_ID.equals(execution.getAuthenticator())) {
            add(AuthenticationMethod.MAIL, false);
        }
    }

    /** The administrator's word, and for how long it holds. */
    private void addReference(
            AuthenticationExecutionModel execution, String reference, Map<String, String> config, boolean multiFactor) {
        String maxAge = config.get(Constants.AUTHENTICATION_EXECUTION_REFERENCE_MAX_AGE);
        try {
            long seconds = StringUtil.isBlank(maxAge)
                    ? MethodUse.AS_LONG_AS_THE_SESSION
                    : Math.max(0, Long.parseLong(maxAge.strip()));
            uses.add(new MethodUse(reference, multiFactor, now, seconds));
        } catch (NumberFormatException e) {
            logger.warnf(
                    "amr: the max age of the authenticator reference of execution %s (%s) is no number of seconds; its"
                            + " method is left out",
                    execution.getId(), execution.getAuthenticator());
        }
    }

    private void addCredential(String type) {
        CredentialMethods.of(type).ifPresent(method -> add(method, CredentialMethods.isMultiFactor(realm, type)));
    }

    private void add(AuthenticationMethod method, boolean multiFactor) {
        uses.add(new MethodUse(method.value(), multiFactor, now, MethodUse.AS_LONG_AS_THE_SESSION));
    }

    private Map<String, String> config(AuthenticationExecutionModel execution) {
        AuthenticatorConfigModel config = execution.getAuthenticatorConfig() == null
                ? null
                : realm.getAuthenticatorConfigById(execution.getAuthenticatorConfig());
        return config == null || config.getConfig() == null ? Map.of() : config.getConfig();
    }
}
