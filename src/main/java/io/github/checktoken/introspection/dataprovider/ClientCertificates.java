package io.github.checktoken.introspection.dataprovider;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;

import org.keycloak.authentication.authenticators.client.X509ClientAuthenticator;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.x509.X509ClientCertificateLookup;

import io.github.checktoken.telemetry.RecentEntries;

/**
 * When the TLS client certificates expire with which clients have authenticated at this node since it started. Keycloak
 * itself stores only what their subject must be.
 */
public final class ClientCertificates {

    private static final int MAX_CLIENTS = 10_000;

    private final Map<String, Long> expiries = RecentEntries.atMost(MAX_CLIENTS);

    /** @return those of this node */
    public static ClientCertificates of(KeycloakSession session) {
        return DataProviderMapper.of(session).clientCertificates;
    }

    /** @return whether the request has come with a certificate, of whomever */
    public static boolean isPresent(KeycloakSession session) {
        return chain(session).length > 0;
    }

    /** Called when a client has authenticated. */
    public void authenticated(KeycloakSession session, ClientModel client) {
        if (usesCertificate(client)) {
            X509Certificate[] chain = chain(session);
            if (chain.length > 0) {
                expiries.put(client.getId(), chain[0].getNotAfter().toInstant().getEpochSecond());
            }
        }
    }

    /** @return in seconds since the epoch; empty if the client has not authenticated with a certificate here */
    public Optional<Long> expiry(ClientModel client) {
        return usesCertificate(client) ? Optional.ofNullable(expiries.get(client.getId())) : Optional.empty();
    }

    private static boolean usesCertificate(ClientModel client) {
        return X509ClientAuthenticator.PROVIDER_ID.equals(client.getClientAuthenticatorType());
    }

    /** The client's own certificate is the first one. */
    private static X509Certificate[] chain(KeycloakSession session) {
        X509ClientCertificateLookup lookup = session.getProvider(X509ClientCertificateLookup.class);
        try {
            X509Certificate[] chain = lookup == null
                    ? null
                    : lookup.getCertificateChain(session.getContext().getHttpRequest());
            return chain == null ? new X509Certificate[0] : chain;
        } catch (GeneralSecurityException e) {
            return new X509Certificate[0];
        }
    }
}
