package io.github.checktoken.walk.browser;

/**
 * An authorization request of a client.
 *
 * @param state which its answer carries
 * @param forced whether it asks that the person sign in anew
 */
public record Request(String state, String client, boolean forced) {

    public String nonce() {
        return "nonce-" + state;
    }

    /**
     * A second code with the same state. It may answer a later request: Keycloak 26.5 gives a login that it begins again the
     * state that an address of the pages names ({@code client_data}). Only the nonce of the ID token tells.
     */
    public Request orALaterOne() {
        return new Request(state, client, false);
    }
}
