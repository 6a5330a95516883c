package io.github.checktoken.walk.realm;

import java.util.List;

import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;

/**
 * The people of one walk: V and A, who share the browser, and D, who is disabled.
 *
 * @param identities the accounts at both providers
 */
public record People(List<Person> persons, List<Identity> identities) {

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
}
