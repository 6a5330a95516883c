package io.github.checktoken.login.evidence;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.models.ImpersonationSessionNote;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.saml.SamlProtocol;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;
import org.keycloak.util.TokenUtil;

/**
 * Determines what the user of an authentication session has proved in this login.
 *
 * <p>At the end of each request, a {@link LoginEvidenceNote} records what is new since the last request, for the user of
 * this request. The record is an authentication note, so it goes with the state that it describes: when Keycloak resets a
 * flow, and when another user is set. If there is no user, it is dropped, because proof that cannot be attributed to a
 * user must not be reported.
 */
public final class LoginEvidence {

    private static final String NOTE = "checktoken.evidence";

    private final KeycloakSession session;
    private final AuthenticationSessionModel authSession;
    private final UserModel user;
    private final LoginEvidenceNote previous;
    private final LoginEvidenceNote current;

    /** The evidence up to now, including that of the current request. */
    public LoginEvidence(KeycloakSession session, AuthenticationSessionModel authSession) {
        this.session = session;
        this.authSession = authSession;
        this.user = authSession.getAuthenticatedUser();
        this.previous = JsonNote.read(authSession.getAuthNote(NOTE), LoginEvidenceNote.class)
                .filter(note ->
                        user == null || note.user() == null || note.user().equals(user.getId()))
                .orElse(LoginEvidenceNote.EMPTY);
        this.current = currentNote();
    }

    /** @return the methods of this login, including those that an identity provider reported */
    public AuthenticationMethods methods() {
        return user == null
                ? AuthenticationMethods.NONE
                : IdentityProviderReport.methods(session, authSession, user).plus(current.methods());
    }

    /**
     * Whether something proves that this user is at the browser, and not somebody who only typed the username: a method
     * of this login, a login at an identity provider, a link from the user's mail, a registration in this login, or the
     * single sign-on session that this login continues.
     */
    public boolean identifiesUser() {
        return identifiesUserInThisLogin() || user != null && continuesSession();
    }

    /** As {@link #identifiesUser}, but what this request has added does not count. */
    public boolean identifiedUserBefore() {
        return user != null && (isIdentifiedBy(previous, previous.methods()) || continuesSession());
    }

    /** As {@link #identifiesUser}, but the single sign-on session that this login continues does not count. */
    public boolean identifiesUserInThisLogin() {
        return user != null && isIdentifiedBy(current, methods());
    }

    /** Whether nothing identifies the user but a session in which an administrator impersonates the user. */
    public boolean continuesImpersonation() {
        return !identifiesUserInThisLogin()
                && ContinuedUserSession.of(session, authSession.getRealm())
                        .map(continued -> continued.getNote(ImpersonationSessionNote.IMPERSONATOR_ID.toString()))
                        .isPresent();
    }

    /** Whether nothing identifies the user but the link of a mail for one action, such as an administrator's. */
    public boolean isLinkForOneActionAlone() {
        return user != null
                && MailLink.isForOneActionOf(user, authSession)
                && !isProvedBy(current, methods())
                && !continuesSession();
    }

    private boolean isIdentifiedBy(LoginEvidenceNote note, AuthenticationMethods methods) {
        return isProvedBy(note, methods) || MailLink.isOf(user, authSession);
    }

    private boolean isProvedBy(LoginEvidenceNote note, AuthenticationMethods methods) {
        return note.registered()
                || methods.identifiesUser()
                || IdentityProviderLogin.hasSignedIn(session, authSession, user);
    }

    private boolean continuesSession() {
        return continuedSession()
                .filter(continued -> user.equals(continued.getUser()))
                .isPresent();
    }

    /** @return the single sign-on session to which this login adds; empty if it replaces the methods of that session */
    public Optional<UserSessionModel> continuedSession() {
        return replacesSessionMethods()
                ? Optional.empty()
                : ContinuedUserSession.unlessEnded(session, authSession.getRealm());
    }

    /**
     * Whether this login replaces the methods of the single sign-on session, because the user was forced to sign in
     * again. Keycloak clears its own note of a forced login before a first broker login. The parameters of the
     * authorization request remain, so {@code prompt=login} counts too, and so does {@code max_age} if an identity
     * provider was used.
     */
    public boolean replacesSessionMethods() {
        return isForced()
                || IdentityProviderLogin.aliasSoFar(authSession) != null
                        && authSession.getClientNote(OIDCLoginProtocol.MAX_AGE_PARAM) != null;
    }

    /** Whether the user had to sign in again here, so that every level of this login was reached in it. */
    public boolean isForced() {
        return AuthenticatorUtil.isForcedReauthentication(authSession)
                || SamlProtocol.SAML_FORCEAUTHN_REQUIREMENT.equals(
                        authSession.getAuthNote(SamlProtocol.SAML_LOGIN_REQUEST_FORCEAUTHN))
                || TokenUtil.hasPrompt(
                        authSession.getClientNote(OIDCLoginProtocol.PROMPT_PARAM),
                        OIDCLoginProtocol.PROMPT_VALUE_LOGIN);
    }

    /**
     * Stores the record, and what an identity provider has just reported, for the following requests. {@link
     * LoginEvidenceFilter} calls this at the end of each request.
     */
    void save() {
        IdentityProviderReport.saveReceived(session, authSession);
        ProviderLevel.noteForPostLoginFlow(session, authSession);
        if (!current.equals(previous)) {
            authSession.setAuthNote(NOTE, JsonNote.write(current));
        }
        if (user == null) {
            ProofNotes.removeFrom(authSession);
        }
    }

    private LoginEvidenceNote currentNote() {
        List<String> credentials = AuthenticatorUtil.getAuthnCredentials(authSession);
        Set<String> executions = succeededExecutions(authSession);
        if (user == null) {
            // Keycloak's list of used credentials will be empty again, see ProofNotes.
            return new LoginEvidenceNote(null, 0, executions, AuthenticationMethods.NONE, false);
        }
        Set<String> newExecutions = new HashSet<>(executions);
        newExecutions.removeAll(previous.executions());
        List<String> newCredentials =
                credentials.subList(Math.min(previous.credentials(), credentials.size()), credentials.size());
        NewEvidence proof = new NewEvidence(session, authSession, newCredentials, newExecutions);
        return new LoginEvidenceNote(
                user.getId(),
                credentials.size(),
                executions,
                previous.methods().plus(proof.methods()),
                previous.registered() || proof.isRegistration());
    }

    /** @return their ids */
    public static Set<String> succeededExecutions(AuthenticationSessionModel authSession) {
        return authSession.getExecutionStatus().entrySet().stream()
                .filter(execution -> execution.getValue() == ExecutionStatus.SUCCESS)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
