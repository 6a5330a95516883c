package io.github.checktoken.support.loginstate;

import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.util.PostBrokerLoginConstants;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticationFlowModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.managers.AuthenticationSessionManager;
import org.keycloak.services.resource.RealmResourceProvider;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel;

/**
 * Tells what Keycloak keeps of a login that is under way in the browser. It runs only in the server of the walks, and
 * says to a walk from where to go on, but not what is right.
 */
public final class LoginStateProvider implements RealmResourceProvider {

    /** The flows of the walks' realms do not change. */
    private static final Map<String, String> PATHS = new ConcurrentHashMap<>();

    private final KeycloakSession session;
    private final RealmModel realm;

    LoginStateProvider(KeycloakSession session) {
        this.session = session;
        this.realm = session.getContext().getRealm();
    }

    @Override
    public Object getResource() {
        return this;
    }

    /** @return empty if there is no such login */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Map<String, Object> get(@QueryParam("client_id") String clientId, @QueryParam("tab_id") String tabId) {
        AuthenticationSessionModel login = new AuthenticationSessionManager(session)
                .getCurrentAuthenticationSession(realm, realm.getClientByClientId(clientId), tabId);
        return login == null ? Map.of() : stateOf(login);
    }

    private Map<String, Object> stateOf(AuthenticationSessionModel login) {
        TreeSet<String> passed = new TreeSet<>();
        login.getExecutionStatus().forEach((execution, status) -> {
            if (status == CommonClientSessionModel.ExecutionStatus.SUCCESS) {
                passed.add(flowPath(execution));
            }
        });
        addIfNoted(login, PostBrokerLoginConstants.PBL_BROKERED_IDENTITY_CONTEXT, "post-broker-login", passed);
        if (!passed.contains("first-broker-login")) {
            addIfNoted(login, AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE, "begun: first-broker-login", passed);
        }
        passed.remove("");
        String current = login.getAuthNote(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION);
        AuthenticationExecutionModel execution = current == null ? null : realm.getAuthenticationExecutionById(current);
        return Map.of(
                "person",
                login.getAuthenticatedUser() == null
                        ? ""
                        : login.getAuthenticatedUser().getUsername(),
                "path",
                Objects.toString(login.getAuthNote(AuthenticationProcessor.CURRENT_FLOW_PATH), ""),
                "step",
                execution == null ? "" : Objects.toString(execution.getAuthenticator(), ""),
                "pathOfStep",
                execution == null ? "" : flowPath(current),
                "passed",
                passed,
                "level",
                Objects.toString(login.getAuthNote(Constants.LEVEL_OF_AUTHENTICATION), ""));
    }

    private static void addIfNoted(AuthenticationSessionModel login, String note, String path, TreeSet<String> passed) {
        if (login.getAuthNote(note) != null) {
            passed.add(path);
        }
    }

    /** @return the login action at which the flow of this execution runs; empty if there is no such execution */
    private String flowPath(String execution) {
        return PATHS.computeIfAbsent(execution, this::findFlowPath);
    }

    private String findFlowPath(String execution) {
        AuthenticationExecutionModel model = realm.getAuthenticationExecutionById(execution);
        if (model == null) {
            return "";
        }
        AuthenticationFlowModel flow = realm.getAuthenticationFlowById(model.getParentFlow());
        while (!flow.isTopLevel()) {
            model = realm.getAuthenticationExecutionByFlowId(flow.getId());
            flow = realm.getAuthenticationFlowById(model.getParentFlow());
        }
        return flowPath(flow);
    }

    private String flowPath(AuthenticationFlowModel flow) {
        if (flow.getId().equals(realm.getResetCredentialsFlow().getId())) {
            return "reset-credentials";
        }
        if (flow.getId().equals(realm.getRegistrationFlow().getId())) {
            return "registration";
        }
        boolean isFirstLogin = session.identityProviders()
                .getAllStream()
                .anyMatch(provider -> flow.getId().equals(provider.getFirstBrokerLoginFlowId()));
        if (isFirstLogin) {
            return "first-broker-login";
        }
        boolean isPostLogin = session.identityProviders()
                .getAllStream()
                .anyMatch(provider -> flow.getId().equals(provider.getPostBrokerLoginFlowId()));
        return isPostLogin ? "post-broker-login" : "authenticate";
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
