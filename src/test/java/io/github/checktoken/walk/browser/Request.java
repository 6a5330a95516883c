package io.github.checktoken.walk.browser;

/**
 * An authorization request of a client.
 *
 * @param number of the walk, from 1; 0 if no client can know it by its state
 * @param forced whether it forces the person to sign in again
 */
public record Request(int number, String client, boolean forced) {

    /** The answer repeats it. */
    public String state() {
        return "login-" + number;
    }

    public String nonce() {
        return "nonce-" + number;
    }

    /**
     * The request of an answer that comes when this one or a later one has been answered already. It may be for a later
     * request, because Keycloak 26.5 takes the state of a login that it restarts from an address of the pages
     * ({@code client_data}). Only the nonce of the ID token shows which request is answered.
     */
    public Request orALaterOne() {
        return new Request(number, client, false);
    }
}
