package io.github.checktoken.login.broker;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.IdentityProviderModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.utils.KeycloakSessionUtil;

import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.keycloak.Part;

/**
 * Asks an identity provider for {@code amr}, if its mapper says so and the realm is guarded. Keycloak gives no extension a
 * part in the request to a provider, so this adds the parameter to the redirect that carries it.
 */
@Provider
public final class AmrRequestFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        URI location = response.getLocation();
        KeycloakSession session = location == null ? null : KeycloakSessionUtil.getKeycloakSession();
        RealmModel realm = session == null ? null : session.getContext().getRealm();
        if (realm != null && KeycloakCompatibility.supports(Part.LOGIN) && new LoginGuard(session).isOn(realm)) {
            alias(session)
                    .map(alias -> session.identityProviders().getByAlias(alias))
                    .filter(provider -> AmrRequest.isTo(provider, location) && isAsked(session, provider))
                    .ifPresent(provider ->
                            response.getHeaders().putSingle(HttpHeaders.LOCATION, AmrRequest.askingForAmr(location)));
        }
    }

    /** @return the alias in the path of a page of the broker, which is below that of the realm */
    private static Optional<String> alias(KeycloakSession session) {
        List<String> path = session.getContext().getUri().getPathSegments().stream()
                .map(PathSegment::getPath)
                .filter(segment -> !segment.isEmpty())
                .dropWhile(segment -> !segment.equals("realms"))
                .toList();
        return path.size() > 3 && path.get(2).equals("broker") ? Optional.of(path.get(3)) : Optional.empty();
    }

    private static boolean isAsked(KeycloakSession session, IdentityProviderModel provider) {
        return session.identityProviders()
                .getMappersByAliasStream(provider.getAlias())
                .filter(mapper -> AmrIdentityProviderMapper.PROVIDER_ID.equals(mapper.getIdentityProviderMapper()))
                .anyMatch(mapper -> new AmrIdentityProviderConfig(mapper).asksProvider());
    }
}
