package io.github.checktoken.demo.pages;

import java.util.List;

/**
 * People who can sign in at the same place.
 *
 * @param place the name on the button of the identity provider; empty for those of the demo realm itself
 */
public record DemoPeople(String place, List<Person> people) {

    /**
     * @param password what everybody in the demo has
     * @param born date, place and country, as far as they are known
     */
    public record Person(String username, String givenNames, String password, String born, Way way) {}

    /** What a person signs in with. Each has a text of its own: {@code way.} and its name. */
    public enum Way {
        PASSWORD,
        PASSWORD_AND_CODE,
        PASSWORD_AND_PIN,
        PASSKEY,
        SECURITY_KEY_AND_PIN,
        NOTHING
    }
}
