package io.github.checktoken.guest.journey;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.checktoken.guest.realm.GuestRealm;

/**
 * What honest people and programs do in a realm.
 *
 * @param family the name of what is tried, short, by which one can choose it
 */
public record Journey(String family, String name, IfGuarded ifGuarded, Function<GuestRealm, Outcome> steps) {

    /** How it must end in a guarded realm. */
    public enum IfGuarded {
        NO_WORSE,
        /** The person proves nothing. */
        REFUSED,
        /** What was proved is too old, or of a session that has ended. */
        BEGUN_ANEW
    }

    Journey(String family, String name, Function<GuestRealm, Outcome> steps) {
        this(family, name, IfGuarded.NO_WORSE, steps);
    }

    /** In the order of the report. */
    public static List<Journey> all() {
        return Stream.of(
                        SilentSignIns.all(),
                        HiddenFrames.all(),
                        StrangersConnections.all(),
                        PermissionRequests.all(),
                        OfflineCodes.all(),
                        SentTwice.all(),
                        RevokedSession.all(),
                        SessionsUnderLoad.all(),
                        SessionLimits.all(),
                        NameAlone.all(),
                        ForgottenPasswordAtAProvider.all(),
                        SlowLogins.all(),
                        StepWithoutProof.all(),
                        RandomSteps.all())
                .flatMap(List::stream)
                .toList();
    }

    public Outcome in(GuestRealm realm) {
        try {
            return steps.apply(realm);
        } catch (AssertionError | RuntimeException e) {
            String reason = e.getMessage() == null ? e.toString() : e.getMessage();
            return Outcome.failed(reason.replaceAll("\\s+", " ").replaceAll("(?<=.{160}).+", "…"));
        }
    }
}
