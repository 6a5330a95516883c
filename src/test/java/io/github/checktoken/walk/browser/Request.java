package io.github.checktoken.walk.browser;

/**
 * An authorization request of a client.
 *
 * @param state the state, which the answer repeats
 * @param forced whether it forces the person to sign in again
 */
public record Request(String state, String client, boolean forced) {

    public String nonce() {
        return "nonce-" + state;
    }

    /**
     * The request for a second code with the same state. That code may answer a later request, because Keycloak 26.5
     * takes the state of a login that it restarts from an address of the pages ({@code client_data}). Only the nonce of
     * the ID token shows which request is answered.
     */
    public Request orALaterOne() {
        return new Request(state, client, false);
    }
}
