package io.github.checktoken.chaos;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.checktoken.support.client.DataProviderClient;

/** A data provider, and which subject it got for each person. */
final class Provider {

    private final DataProviderClient client;
    private final Set<String> scopes;
    private final Neighbour keys;
    private final Map<String, String> subjects = new ConcurrentHashMap<>();
    private final Map<String, String> people = new ConcurrentHashMap<>();
    private volatile boolean keyIsKnown;

    /**
     * @param scopes those that it is registered for
     * @param keys the host of its keys; null for inline keys
     */
    Provider(DataProviderClient client, Set<String> scopes, Neighbour keys) {
        this.client = client;
        this.scopes = scopes;
        this.keys = keys;
        this.keyIsKnown = keys == null;
    }

    DataProviderClient client() {
        return client;
    }

    /** @return those of the token's scopes that its answers have */
    String scope(String ofToken) {
        return Stream.of(ofToken.split(" ")).filter(scopes::contains).collect(Collectors.joining(" "));
    }

    void keyIsKnown() {
        keyIsKnown = true;
    }

    Set<Neighbour> needs() {
        EnumSet<Neighbour> needs = EnumSet.of(Neighbour.DATABASE);
        if (!keyIsKnown) {
            needs.add(keys);
        }
        return needs;
    }

    /** Whether a person always had this subject, and nobody else has it. */
    boolean isSubjectOf(String person, String subject) {
        return subject.equals(subjects.computeIfAbsent(person, key -> subject))
                && person.equals(people.computeIfAbsent(subject, key -> person));
    }
}
