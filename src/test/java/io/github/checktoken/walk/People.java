package io.github.checktoken.walk;

import java.util.List;

/**
 * The people of one walk: V and A, who share the browser, and D, who is disabled.
 *
 * @param identities at both providers
 */
record People(List<Person> persons, List<Identity> identities) {

    Person named(String name) {
        return persons.stream()
                .filter(person -> person.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    List<Identity> at(String provider) {
        return identities.stream()
                .filter(identity -> identity.provider().equals(provider))
                .toList();
    }
}
