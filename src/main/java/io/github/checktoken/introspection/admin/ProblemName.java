package io.github.checktoken.introspection.admin;

import java.util.Locale;
import java.util.Set;

/** The short names of problems and warnings, which stay the same in each language. */
final class ProblemName {

    /** Selects the data providers that have any. */
    static final String ANY = "any";

    static final Set<String> ALL = Set.of(
            "disabled",
            "public",
            "unsupportedSetting",
            "noRealmKey",
            "noJwks",
            "loadingKey",
            "noKey",
            "staleKey",
            "privateKey",
            "broadScope",
            "omittedClaim",
            "noScope",
            "noIdentity",
            "noSalt",
            "twoSubjects",
            "plainHttp",
            "smallKey",
            "oldKey",
            "shortSecret",
            "oldSecret",
            "gateOff");

    private static final String MESSAGE_PREFIX = "checktoken";

    private ProblemName() {}

    /** @param message a key of the Admin Console's texts, such as {@code checktokenNoSalt} */
    static String of(String message) {
        String name = message.substring(MESSAGE_PREFIX.length());
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    static boolean isKnown(String name) {
        return ANY.equals(name) || ALL.contains(name);
    }
}
