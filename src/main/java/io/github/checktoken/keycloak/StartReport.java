package io.github.checktoken.keycloak;

import java.util.Optional;
import java.util.function.Supplier;

import org.jboss.logging.Logger;

/** Tells administrators in the log of each start what is active where: a line for each part. */
public final class StartReport {

    private static final Logger logger = Logger.getLogger(StartReport.class);

    private StartReport() {}

    /**
     * @param where the part is active; asked only if this version of Keycloak has what the part needs
     * @return whether the part is active
     */
    public static boolean tell(Part part, Supplier<String> where) {
        Optional<String> problem = KeycloakCompatibility.problem(part);
        problem.ifPresentOrElse(reason -> off(part, reason), () -> on(part, where.get()));
        return problem.isEmpty();
    }

    private static void on(Part part, String where) {
        logger.infof("checktoken %s: %s: %s", version(), part.displayName(), where);
    }

    /** @param reason a clause, then what to do about it */
    public static void off(Part part, String reason) {
        logger.warnf("checktoken %s: %s: not available, because %s", version(), part.displayName(), reason);
    }

    /** The JAR's version. */
    public static String version() {
        return Optional.ofNullable(StartReport.class.getPackage().getImplementationVersion())
                .orElse("unpackaged");
    }
}
