package io.github.checktoken.limit;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.SingleUseObjectProvider;
import org.keycloak.models.UserModel;

/**
 * At most so many of something for one person within a time, over all of the person's logins and browsers.
 *
 * <p>Each one takes a slot in Keycloak's single-use object store and frees it when the time is over. A slot is taken
 * in one step ({@link SingleUseObjectProvider#putIfAbsent}), outside of the request's transaction and for all nodes, so
 * neither parallel requests nor failing ones slip past. A restart of the last node forgets the slots.
 */
public final class PersonLimit {

    private final SingleUseObjectProvider slots;
    private final String name;
    private final int most;
    private final int seconds;

    /**
     * @param name what is counted, unlike any other limit's
     * @param most at least 1
     * @param seconds how long one counts
     */
    public PersonLimit(KeycloakSession session, String name, int most, int seconds) {
        this.slots = session.singleUseObjects();
        this.name = name;
        this.most = most;
        this.seconds = seconds;
    }

    /** @return whether there was room for one more, which is counted by this call */
    public boolean take(UserModel person) {
        return keys(person).anyMatch(key -> slots.putIfAbsent(key, seconds));
    }

    /** @return whether {@link #take} would be refused now */
    public boolean isReached(UserModel person) {
        return keys(person).allMatch(slots::contains);
    }

    /** Forgets all that was counted. */
    public void clear(UserModel person) {
        keys(person).forEach(slots::remove);
    }

    private Stream<String> keys(UserModel person) {
        return IntStream.range(0, most).mapToObj(slot -> "checktoken:" + name + ":" + person.getId() + ":" + slot);
    }
}
