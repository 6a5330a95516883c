package io.github.checktoken.login.gate;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.gate.provider.TimeAtProvider;
import io.github.checktoken.login.gate.provider.UnfinishedBrokerLogin;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * The moments of a guarded login, and the rules that apply at each. Keycloak does not announce them: {@link
 * PersonBoundAuthenticationSession} finds them in what Keycloak writes. Each method names the place in Keycloak that
 * writes it.
 *
 * <p>Any of them may end the request with a {@link WebApplicationException}, which has a page or a redirect.
 */
final class LoginMoments {

    private final AuthenticationSessionModel login;
    private final AuthenticationSessionModel delegate;
    private final PersonBoundRootAuthenticationSession parent;
    private final RequestWrites writes;
    private final SessionOwner owner;
    private final LoginGate gate;
    private final UnfinishedBrokerLogin brokerLogin;

    /** @param login the session that Keycloak sees */
    LoginMoments(PersonBoundAuthenticationSession login, LoginGate gate, UnfinishedBrokerLogin brokerLogin) {
        this.login = login;
        this.delegate = login.delegate;
        this.parent = login.parent;
        this.writes = login.writes;
        this.owner = new SessionOwner(delegate, writes);
        this.gate = gate;
        this.brokerLogin = brokerLogin;
    }

    /**
     * A step ({@code AuthenticationProcessor.setAutheticatedUser}) or the answer of a provider ({@code
     * IdentityBrokerService.authenticated}) tells who signs in. If it is somebody else than before, everything that says
     * what the {@linkplain SessionOwner owner} has done is dropped.
     */
    void userFound(UserModel user) {
        String before = owner.id();
        if (before != null && !before.equals(user.getId())) {
            FormerUserState.drop(delegate, writes);
        }
        boolean isSet = delegate.getAuthenticatedUser() != null;
        delegate.setAuthenticatedUser(user);
        writes.userSet();
        if (brokerLogin.isCallback()) {
            brokerLogin.endForLinkedUser(delegate, writes);
            writes.userSessionNotes().forEach(delegate::setUserSessionNote);
        }
        if (!user.getId().equals(before)) {
            owner.set(user, before);
            LoginDeadline.begin(delegate);
        } else if (isSet) {
            beginTimeAtFirstProof();
        }
    }

    /** A step asks for the name anew ({@code AuthenticationProcessor.clearAuthenticatedUser}). Nothing is dropped yet. */
    void userRemoved() {
        owner.removeUser();
    }

    /** A step passes ({@code DefaultAuthenticationFlow.processResult}). Keycloak has not noted this yet. */
    void stepPasses() {
        if (delegate.getAuthenticatedUser() != null) {
            beginTimeAtFirstProof();
        }
    }

    /** A step has passed, and Keycloak has noted this. */
    void stepPassed(String execution) {
        brokerLogin.afterReset().linkIfConfirmed(login, execution);
    }

    /** Who has typed the name may look for the password for as long as Keycloak allows. */
    private void beginTimeAtFirstProof() {
        if (!gate.hadProof(login)) {
            LoginDeadline.begin(delegate);
        }
    }

    /** A page is due ({@code AuthenticationProcessor}). After the callback of a provider that refuses, it is the login page. */
    void pageFollows() {
        brokerLogin.endIfLoginPageFollows(login);
    }

    /** The flow begins anew ({@code AuthenticationProcessor.resetFlow}): all that belongs to the user goes with the notes. */
    void flowBeginsAnew() {
        FormerUserState.dropAtReset(delegate, writes, brokerLogin.beginsAnew(delegate));
    }

    /**
     * A flow has passed ({@code AuthenticationProcessor.authenticationComplete}). A required action follows, or the login
     * ends.
     */
    void flowPassed() {
        parent.requireNotUsedUp(login);
        gate.requireProof(login);
        brokerLogin.afterReset().goOn(login);
    }

    /** A required action or the consent is due ({@code AuthenticationManager.actionRequired}). */
    void pageAfterFlowBegins() {
        gate.requireProof(login);
    }

    /** The person has done what a required action asks for ({@code LoginActionsService.processRequireAction}). */
    void requiredActionPassed() {
        brokerLogin.afterReset().goOnAfterAction(login);
    }

    /** A first broker login has passed ({@code LoginActionsService.brokerLoginFlow}). The next request links the identity. */
    void firstBrokerLoginPassed() {
        gate.requireProofToLink(login);
    }

    /** A link that the user has requested is made now ({@code IdentityBrokerService.shouldPerformAccountLinking}). */
    void requestedLinkIsMade() {
        gate.requireProof(login);
        TimeAtProvider.keepThatOfBefore(delegate, writes);
    }
}
