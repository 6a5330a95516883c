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

    /** The request of an answer that may be for a later request. Only the nonce of the ID token shows which it is. */
    public Request orALaterOne() {
        return new Request(number, client, false);
    }
}
