package io.github.checktoken.walk.realm;

import java.util.List;

import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;

/**
 * The people of one walk: V and A, who share the browser, and D, who is disabled.
 *
 * @param identities the accounts at both providers
 * @param slow whether the server checks the secrets of A slowly, so that other requests can come between
 */
public record People(List<Person> persons, List<Identity> identities, boolean slow) {

    public Person named(String name) {
        return persons.stream()
                .filter(person -> person.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    public List<Identity> at(String provider) {
        return identities.stream()
                .filter(identity -> identity.provider().equals(provider))
                .toList();
    }

    /** @return the role of a name, so that it can be compared with another walk; {@code other} for a new account */
    public String role(String name) {
        Person person = name == null ? null : named(name);
        return name == null ? "nobody" : person == null ? "other" : person.role();
    }
}
