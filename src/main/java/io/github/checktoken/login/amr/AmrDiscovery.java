package io.github.checktoken.login.amr;

import java.util.stream.Stream;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.OIDCWellKnownProviderFactory;
import org.keycloak.protocol.oidc.representations.OIDCConfigurationRepresentation;
import org.keycloak.wellknown.WellKnownProvider;

import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.RealmUse;

/**
 * Returns Keycloak's own discovery document, and adds {@code amr} to {@code claims_supported} if a client scope of the
 * realm has the requested-amr mapper (OpenID Connect Discovery section 3). The rest of the document is unchanged.
 */
record AmrDiscovery(KeycloakSession session) implements WellKnownProvider {

    @Override
    public Object getConfig() {
        Object document = session.getProvider(WellKnownProvider.class, OIDCWellKnownProviderFactory.PROVIDER_ID)
                .getConfig();
        if (document instanceof OIDCConfigurationRepresentation configuration
                && configuration.getClaimsSupported() != null
                && hasScopeWithAmr(session, session.getContext().getRealm())) {
            Stream<String> claims = configuration.getClaimsSupported().stream();
            Stream<String> amr = Stream.of(OAuth2Constants.AUTHENTICATOR_METHOD_REFERENCE);
            configuration.setClaimsSupported(
                    Stream.concat(claims, amr).distinct().toList());
        }
        return document;
    }

    private static boolean hasScopeWithAmr(KeycloakSession session, RealmModel realm) {
        return KeycloakCompatibility.supports(Part.LOGIN)
                && RealmUse.usesLogin(session, realm)
                && realm.getClientScopesStream()
                        .flatMap(scope -> scope.getProtocolMappersStream())
                        .anyMatch(mapper -> RequestedAmrMapper.PROVIDER_ID.equals(mapper.getProtocolMapper()));
    }

    @Override
    public void close() {}
}
