package io.github.checktoken.walk.oracle;

/**
 * Somebody in the walked realm, and what they alone know. Every secret is unlike all others, so that the one that was
 * given tells whose it is.
 *
 * @param pin null for a person without one; so is the one-time password's secret
 */
public record Person(String role, String name, String password, String pin, String otpSecret, boolean enabled) {

    public String address() {
        return name + "@example.org";
    }
}
