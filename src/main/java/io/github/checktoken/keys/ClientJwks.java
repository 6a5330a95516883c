package io.github.checktoken.keys;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.ClientModel;
import org.keycloak.models.cache.CachedObject;
import org.keycloak.protocol.oidc.OIDCAdvancedConfigWrapper;

import io.github.checktoken.text.SingleLineText;

/** The JWK Set that the Keys tab of a client names or holds. */
public final class ClientJwks {

    private static final int MAX_ADDRESS_CHARACTERS = 2000;

    private final String owner;
    private final long saved;
    private final String url;
    private final String inline;

    /**
     * @param owner client_id
     * @param saved another number once the client has been saved
     * @param url null for an inline set
     * @param inline null for an address
     */
    ClientJwks(String owner, long saved, String url, String inline) {
        this.owner = owner;
        this.saved = saved;
        this.url = url;
        this.inline = inline;
    }

    /** @return empty when neither an address nor a set is switched on and given; the address wins */
    public static Optional<ClientJwks> of(ClientModel client) {
        OIDCAdvancedConfigWrapper config = OIDCAdvancedConfigWrapper.fromClientModel(client);
        if (config.isUseJwksUrl() && config.getJwksUrl() != null) {
            String url = absolute(client.getRootUrl(), config.getJwksUrl());
            return Optional.of(new ClientJwks(client.getClientId(), saved(client), url, null));
        }
        return config.isUseJwksString() && config.getJwksString() != null
                ? Optional.of(new ClientJwks(client.getClientId(), saved(client), null, config.getJwksString()))
                : Optional.empty();
    }

    /** @return the address; empty for an inline set */
    public Optional<String> url() {
        return Optional.ofNullable(url);
    }

    /** @return why the set is not used, in English, for an administrator; empty when its address and its size are right */
    public Optional<String> problem() {
        return url == null ? EncryptionKeySelector.excess(inline) : addressProblem();
    }

    Optional<String> inline() {
        return Optional.ofNullable(inline);
    }

    /** The client_id, as it may stand in a log. */
    String owner() {
        return SingleLineText.of(owner);
    }

    /** Greater once the client has been saved; 0 if that cannot be told. */
    long saved() {
        return saved;
    }

    /** Another value once the client has been saved or names another set. Of a set that is too large, its beginning counts. */
    String version() {
        String text = url == null ? inline : url;
        String read = text.substring(0, Math.min(text.length(), EncryptionKeySelector.MAX_BYTES));
        return saved + " " + text.length() + " " + HashUtils.sha256UrlEncodedHash(read, StandardCharsets.UTF_8);
    }

    /** When a client is saved, Keycloak drops it from every node's cache; this is when the node has read it again. */
    private static long saved(ClientModel client) {
        return client instanceof CachedObject cached ? cached.getCacheTimestamp() : 0;
    }

    /** Relative to the client's root URL alone. Keycloak would go on to its own address, which a Host header can name. */
    private static String absolute(String rootUrl, String url) {
        return rootUrl != null && url.startsWith("/") ? rootUrl + url : url;
    }

    private Optional<String> addressProblem() {
        if (url.length() > MAX_ADDRESS_CHARACTERS) {
            return Optional.of("the JWKS URL has more than " + MAX_ADDRESS_CHARACTERS + " characters");
        }
        try {
            URI address = URI.create(url);
            if (!"https".equalsIgnoreCase(address.getScheme()) && !"http".equalsIgnoreCase(address.getScheme())
                    || address.getRawAuthority() == null) {
                return Optional.of("the JWKS URL is not an absolute address");
            }
            // Keycloak's HTTP client would send them to that host for everybody.
            return address.getRawAuthority().contains("@")
                    ? Optional.of("the JWKS URL holds a user name or a password")
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("the JWKS URL is not an address");
        }
    }
}
