package io.github.checktoken.guest.realm;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.client.Totp;
import io.github.checktoken.walk.browser.Page;

/**
 * Somebody who answers each page with what is her own.
 *
 * @param openedMails the links of her mails that she has opened
 */
public record Person(String name, Set<String> openedMails) {

    static final String PASSWORD = "demo-password";

    Person(String name) {
        this(name, new HashSet<>());
    }

    public String address() {
        return name + "@example.org";
    }

    /** @return the fields; empty if the page asks for nothing that she knows */
    public Map<String, String> answers(Page page) {
        return switch (page.kind()) {
            case NAME_AND_PASSWORD -> Map.of("username", name, "password", PASSWORD);
            case NAME, RESET -> Map.of("username", name);
            case PASSWORD -> Map.of("password", PASSWORD);
            case OTP -> Map.of("otp", Totp.code());
            case NEW_PASSWORD -> Map.of("password-new", PASSWORD, "password-confirm", PASSWORD);
            case LINK_ACCOUNT -> Map.of("submitAction", "linkAccount");
            case REGISTRATION ->
                Map.of(
                        "username",
                        name,
                        "email",
                        address(),
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "password",
                        PASSWORD,
                        "password-confirm",
                        PASSWORD);
            default -> Map.of();
        };
    }
}
