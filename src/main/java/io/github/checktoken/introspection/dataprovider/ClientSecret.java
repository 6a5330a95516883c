package io.github.checktoken.introspection.dataprovider;

import java.util.Optional;
import java.util.Set;

import org.keycloak.authentication.authenticators.client.ClientIdAndSecretAuthenticator;
import org.keycloak.authentication.authenticators.client.JWTClientSecretAuthenticator;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientSecretConstants;

/** What is known of the secret with which a client authenticates. */
public record ClientSecret(ClientModel client) {

    private static final Set<String> AUTHENTICATORS =
            Set.of(ClientIdAndSecretAuthenticator.PROVIDER_ID, JWTClientSecretAuthenticator.PROVIDER_ID);

    /** @return empty if the client has no secret, or authenticates without it */
    public static Optional<ClientSecret> of(ClientModel client) {
        return AUTHENTICATORS.contains(client.getClientAuthenticatorType()) && client.getSecret() != null
                ? Optional.of(new ClientSecret(client))
                : Optional.empty();
    }

    /** In characters. */
    public int length() {
        return client.getSecret().length();
    }

    /** @return in seconds since the epoch; empty if Keycloak has not made the secret, and its JSON did not say it */
    public Optional<Long> created() {
        return time(ClientSecretConstants.CLIENT_SECRET_CREATION_TIME);
    }

    /**
     * From when Keycloak rejects it. The client policy for the rotation of secrets sets that time.
     *
     * @return in seconds since the epoch; empty if it does not expire
     */
    public Optional<Long> expiry() {
        return time(ClientSecretConstants.CLIENT_SECRET_EXPIRATION);
    }

    private Optional<Long> time(String attribute) {
        return Optional.ofNullable(client.getAttribute(attribute))
                .filter(seconds -> seconds.matches("[0-9]{1,12}"))
                .map(Long::valueOf);
    }
}
