package io.github.checktoken.guest;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guest.journey.Journey;
import io.github.checktoken.guest.journey.Outcome;
import io.github.checktoken.guest.journey.Outcome.Kind;

/** A journey with its outcome in each set-up. */
record ComparedJourney(Journey journey, Map<SetUp, Outcome> outcomes) {

    private static final int MORE_RACES = 6;

    static ComparedJourney of(Journey journey, GuestServers servers) {
        Map<SetUp, Outcome> outcomes = new EnumMap<>(SetUp.class);
        for (SetUp setUp : SetUp.values()) {
            outcomes.put(setUp, journey.in(servers.realm(setUp)));
        }
        ComparedJourney compared = new ComparedJourney(journey, outcomes);
        for (int i = 0; i < MORE_RACES && compared.seemsWorse(); i++) {
            outcomes.merge(SetUp.WITHOUT_JAR, journey.in(servers.realm(SetUp.WITHOUT_JAR)), Outcome::and);
        }
        return compared;
    }

    /** Then plain Keycloak may have been lucky. */
    private boolean seemsWorse() {
        return outcomes.get(SetUp.WITHOUT_JAR).kind() == Kind.RACE
                && !failures().isEmpty();
    }

    String text(SetUp setUp) {
        return outcomes.get(setUp).text();
    }

    boolean isRight(SetUp setUp) {
        return switch (setUp) {
            case WITHOUT_JAR -> worth(setUp) >= 0;
            case UNGUARDED, OFF ->
                isNoWorse(setUp) && (!isOneByOne() || text(setUp).equals(text(SetUp.WITHOUT_JAR)));
            case GUARDED -> isRightIfGuarded();
        };
    }

    /** @return what is wrong, with what was seen without the JAR */
    List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (SetUp setUp : SetUp.values()) {
            if (!isRight(setUp)) {
                failures.add("%s, %s: %s%n  without the JAR: %s%n"
                        .formatted(journey.name(), setUp.title(), text(setUp), text(SetUp.WITHOUT_JAR)));
            }
        }
        return failures;
    }

    private boolean isNoWorse(SetUp setUp) {
        return worth(setUp) >= worth(SetUp.WITHOUT_JAR);
    }

    private boolean isRightIfGuarded() {
        return switch (journey.ifGuarded()) {
            case NO_WORSE -> isNoWorse(SetUp.GUARDED);
            case REFUSED -> text(SetUp.GUARDED).startsWith("403");
            case BEGUN_ANEW -> worth(SetUp.GUARDED) >= 0;
        };
    }

    private boolean isOneByOne() {
        return outcomes.get(SetUp.WITHOUT_JAR).kind() == Kind.ONE_BY_ONE;
    }

    private double worth(SetUp setUp) {
        return outcomes.get(setUp).worth();
    }
}
