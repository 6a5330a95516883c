package io.github.checktoken.walk;

import java.util.List;
import java.util.function.Function;

/** Takes the next step of the walk while others send requests, too. */
final class Crowds {

    /** Steps of a login that send a request. */
    private static final List<LoginAction> STEPS = List.of(
            LoginAction.RIGHT,
            LoginAction.WRONG,
            LoginAction.BUTTON,
            LoginAction.NEW_SECRET,
            LoginAction.REGISTER,
            LoginAction.TRY_ANOTHER_WAY,
            LoginAction.WAY,
            LoginAction.PROVIDER,
            LoginAction.REDIRECT,
            LoginAction.AUTHENTICATE,
            LoginAction.NEW_REQUEST,
            LoginAction.LOG_OUT);

    private Crowds() {}

    /** @return 0 while the server has not answered an earlier form: what came between is noted for that one only */
    static int weight(Walk walk) {
        return walk.navigation().isWaiting()
                ? 0
                : walk.page() != null && walk.tab().isUnderWay() ? 6 : 2;
    }

    static int weightWithTokens(Walk walk) {
        return walk.answers().tokens().isEmpty() ? 0 : weight(walk);
    }

    static void step(Walk walk, Function<Walk, Companion> companion) {
        LoginAction step = draw(walk);
        walk.navigation().accompany(companion.apply(walk));
        walk.pass(step);
        walk.navigation().accompany(null);
    }

    private static LoginAction draw(Walk walk) {
        int drawn =
                walk.number(STEPS.stream().mapToInt(step -> step.weight(walk)).sum());
        for (LoginAction step : STEPS) {
            drawn -= step.weight(walk);
            if (drawn < 0) {
                return step;
            }
        }
        throw new AssertionError();
    }
}
