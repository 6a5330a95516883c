package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.checktoken.walk.realm.WalkRealm;

/**
 * What one walk prefers, drawn from its seed: a walk that uses a few login actions and clients often gets deeper into
 * them than one that uses all alike.
 */
final class Habits {

    /** Many walks leave out some actions altogether. */
    private static final int[] FACTORS = {0, 0, 1, 2, 2, 6};

    private static final int CLIENTS = 2;

    /** In percent of the requests. */
    private static final int PREFERRED_CLIENT = 75;

    private final Map<LoginAction, Integer> factors = new EnumMap<>(LoginAction.class);
    private final List<String> clients = new ArrayList<>();

    Habits(long seed) {
        Random random = new Random(seed ^ 0x4ab175);
        for (LoginAction door : LoginAction.values()) {
            factors.put(door, FACTORS[random.nextInt(FACTORS.length)]);
        }
        // Without these, a walk would not get on.
        for (LoginAction door : List.of(LoginAction.NEW_REQUEST, LoginAction.RIGHT)) {
            factors.merge(door, 1, Math::max);
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(WalkRealm.CLIENTS.get(random.nextInt(WalkRealm.CLIENTS.size())));
        }
    }

    int weight(LoginAction door, Walk walk) {
        return factors.get(door) * door.weight(walk);
    }

    String client(Walk walk) {
        return walk.pick(walk.chance(PREFERRED_CLIENT) ? clients : WalkRealm.CLIENTS);
    }
}
