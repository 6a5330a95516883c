package io.github.checktoken.introspection.keys;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

import org.keycloak.models.ClientModel;
import org.keycloak.models.cache.CachedObject;
import org.keycloak.protocol.oidc.OIDCAdvancedConfigWrapper;

import io.github.checktoken.text.SingleLineText;

/** The JWK Set of a client, from its Keys tab: either the URL of a set or an inline set. */
public final class ClientJwks {

    private static final int MAX_ADDRESS_CHARACTERS = 2000;

    private final String owner;
    private final long saved;
    private final String url;
    private final String inline;

    /**
     * @param owner client_id
     * @param saved increases when the client is saved
     * @param url null for an inline set
     * @param inline the set as JSON; null if there is a URL
     */
    ClientJwks(String owner, long saved, String url, String inline) {
        this.owner = owner;
        this.saved = saved;
        this.url = url;
        this.inline = inline;
    }

    /**
     * @return the set at the JWKS URL if that is switched on, else the inline set; empty if neither is on and filled in
     */
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

    /** @return the URL, possibly not valid; empty for an inline set */
    public Optional<String> url() {
        return Optional.ofNullable(url);
    }

    /** @return why the set is rejected, in English, for an administrator; empty if its URL and its size are allowed */
    public Optional<String> problem() {
        return url == null ? EncryptionKeySelector.excess(inline) : addressProblem();
    }

    /** @return the inline set, or why the set is rejected; empty if the URL has to be asked */
    Optional<FetchedJwks> unfetched() {
        return problem()
                .map(FetchedJwks::rejected)
                .or(() -> Optional.ofNullable(inline).map(FetchedJwks::immediate));
    }

    /** The client_id, made safe for logs. */
    String owner() {
        return SingleLineText.of(owner);
    }

    Version version() {
        return new Version(saved, url, Objects.hashCode(inline));
    }

    /**
     * What changes when the client is saved.
     *
     * @param saved increases when the client is saved; always 0 if Keycloak's realm cache is switched off
     * @param url null for an inline set
     * @param inlineHash instead of the inline set, which can have 64 KB and is needed only until it was read
     */
    record Version(long saved, String url, int inlineHash) {}

    /**
     * When a client is saved, Keycloak drops it from every node's cache. The timestamp says when this node cached it
     * again.
     */
    private static long saved(ClientModel client) {
        return client instanceof CachedObject cached ? cached.getCacheTimestamp() : 0;
    }

    /**
     * Resolves a relative URL only against the client's root URL. If there is none, Keycloak would use its own address,
     * which a caller can choose with the Host header.
     */
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
            // Keycloak's HTTP client would keep the credentials and send them to that host for every realm.
            return address.getRawAuthority().contains("@")
                    ? Optional.of("the JWKS URL holds a user name or a password")
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("the JWKS URL is not an address");
        }
    }
}
