package io.github.checktoken.walk.oracle;

/**
 * A person in the realm of the walk, with their secrets. The secrets of all people differ, so that each shows whose it
 * is.
 *
 * @param pin null if the person has none
 * @param otpSecret the secret of the authenticator application; null if the person has none
 */
public record Person(String role, String name, String password, String pin, String otpSecret, boolean enabled) {

    public String address() {
        return name + "@example.org";
    }
}
