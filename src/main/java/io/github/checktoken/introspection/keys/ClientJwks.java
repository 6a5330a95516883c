package io.github.checktoken.introspection.keys;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

import org.keycloak.models.ClientModel;
import org.keycloak.protocol.oidc.OIDCAdvancedConfigWrapper;

import io.github.checktoken.text.SingleLineText;

/**
 * The JWK Set of a client, from its Keys tab: either the URL of a set or an inline set.
 *
 * @param clientId the client_id
 * @param address the URL; null for an inline set
 * @param inline the set as JSON; null if there is a URL
 */
public record ClientJwks(String clientId, String address, String inline) {

    private static final int MAX_ADDRESS_CHARACTERS = 2000;

    /**
     * @return the set at the JWKS URL if that is switched on, else the inline set; empty if neither is on and filled in
     */
    public static Optional<ClientJwks> of(ClientModel client) {
        OIDCAdvancedConfigWrapper config = OIDCAdvancedConfigWrapper.fromClientModel(client);
        if (config.isUseJwksUrl() && config.getJwksUrl() != null) {
            String url = absolute(client.getRootUrl(), config.getJwksUrl());
            return Optional.of(new ClientJwks(client.getClientId(), url, null));
        }
        return config.isUseJwksString() && config.getJwksString() != null
                ? Optional.of(new ClientJwks(client.getClientId(), null, config.getJwksString()))
                : Optional.empty();
    }

    /** @return the URL, possibly not valid; empty for an inline set */
    public Optional<String> url() {
        return Optional.ofNullable(address);
    }

    /** @return why the set is rejected, in English, for an administrator; empty if its URL and its size are allowed */
    public Optional<String> problem() {
        return address == null ? JwkSet.excess(inline) : addressProblem();
    }

    /**
     * Stricter than {@link #problem}, because a set that is in use goes on being used.
     *
     * @return why the set is refused when the client is saved, in English
     */
    public Optional<String> problemOnSave() {
        return problem()
                .or(() -> Optional.ofNullable(inline)
                        .flatMap(JwkSet::of)
                        .flatMap(PrivateKeys::of)
                        .map(keys -> "the JWKS has a private key (" + keys.members() + ")"));
    }

    /** @return the inline set, or why the set is rejected; empty if the URL has to be asked */
    Optional<FetchedJwks> unfetched() {
        return problem()
                .map(FetchedJwks::rejected)
                .or(() -> Optional.ofNullable(inline).map(FetchedJwks::immediate));
    }

    /** The client_id, made safe for logs. */
    String owner() {
        return SingleLineText.of(clientId);
    }

    Source source() {
        return new Source(address, Objects.hashCode(inline));
    }

    /**
     * Where a key comes from, which it belongs to.
     *
     * @param address null for an inline set
     * @param inlineHash instead of the inline set, which can have 64 KB and is needed only until it was read
     */
    record Source(String address, int inlineHash) {}

    /**
     * Resolves a relative URL only against the client's root URL. If there is none, Keycloak would use its own address,
     * which a caller can choose with the Host header.
     */
    private static String absolute(String rootUrl, String url) {
        return rootUrl != null && url.startsWith("/") ? rootUrl + url : url;
    }

    private Optional<String> addressProblem() {
        if (address.length() > MAX_ADDRESS_CHARACTERS) {
            return Optional.of("the JWKS URL has more than " + MAX_ADDRESS_CHARACTERS + " characters");
        }
        try {
            URI uri = URI.create(address);
            if (!"https".equalsIgnoreCase(uri.getScheme()) && !"http".equalsIgnoreCase(uri.getScheme())
                    || uri.getRawAuthority() == null) {
                return Optional.of("the JWKS URL is not an absolute address");
            }
            // Keycloak's HTTP client would keep the credentials and send them to that host for every realm.
            return uri.getRawAuthority().contains("@")
                    ? Optional.of("the JWKS URL holds a user name or a password")
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("the JWKS URL is not an address");
        }
    }
}
