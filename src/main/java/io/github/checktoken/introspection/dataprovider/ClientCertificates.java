package io.github.checktoken.introspection.dataprovider;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.authentication.authenticators.client.X509ClientAuthenticator;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.x509.X509ClientCertificateLookup;

import io.github.checktoken.telemetry.RecentlyUsedMap;

/**
 * When the TLS client certificates expire with which clients have authenticated at this node since it started. Keycloak
 * itself stores only what their subject must be.
 */
public final class ClientCertificates {

    private static final int MAX_CLIENTS = 10_000;

    private final Map<String, Long> expiries = RecentlyUsedMap.atMost(MAX_CLIENTS);

    /** @return those of this node */
    public static ClientCertificates of(KeycloakSession session) {
        return DataProviderMapper.of(session).clientCertificates;
    }

    /** @return whether the request has come with a certificate, of whomever */
    public static boolean isPresent(KeycloakSession session) {
        return certificate(session).isPresent();
    }

    /** Called when a client has authenticated. */
    public void authenticated(KeycloakSession session, ClientModel client) {
        if (usesCertificate(client)) {
            certificate(session)
                    .map(certificate -> certificate.getNotAfter().toInstant().getEpochSecond())
                    .ifPresent(expiry -> expiries.put(client.getId(), expiry));
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
    private static Optional<X509Certificate> certificate(KeycloakSession session) {
        X509ClientCertificateLookup lookup = session.getProvider(X509ClientCertificateLookup.class);
        try {
            X509Certificate[] chain = lookup == null
                    ? null
                    : lookup.getCertificateChain(session.getContext().getHttpRequest());
            return chain == null ? Optional.empty() : Stream.of(chain).findFirst();
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }
}
