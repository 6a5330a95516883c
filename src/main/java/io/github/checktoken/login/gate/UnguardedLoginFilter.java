package io.github.checktoken.login.gate;

import java.time.Duration;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.utils.KeycloakSessionUtil;

import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.InterruptedLoginPage;
import io.github.checktoken.telemetry.LogInterval;
import org.jboss.logging.Logger;

/**
 * Refuses logins of a realm whose guard is on, if this server can guard none. It does nothing on a server that can.
 */
@Provider
public final class UnguardedLoginFilter implements ContainerRequestFilter {

    private static final Logger logger = Logger.getLogger(UnguardedLoginFilter.class);

    private final LogInterval log = new LogInterval(Duration.ofMinutes(1));

    @Override
    public void filter(ContainerRequestContext context) {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        if (session == null) {
            return;
        }
        LoginGuard guard = new LoginGuard(session);
        guard.problem().ifPresent(problem -> {
            BrowserRequest request = new BrowserRequest(session);
            RealmModel realm = request.isForLogin() ? session.realms().getRealmByName(request.realmName()) : null;
            if (realm != null && guard.isOn(realm)) {
                context.abortWith(refuse(session, realm, problem));
            }
        });
    }

    private Response refuse(KeycloakSession session, RealmModel realm, String problem) {
        if (log.isDue(realm.getId())) {
            logger.warnf(
                    "Logins of realm %s are refused, because they cannot be guarded: %s", realm.getName(), problem);
        }
        session.getContext().setRealm(realm);
        return new InterruptedLoginPage(session).notGuarded();
    }
}
