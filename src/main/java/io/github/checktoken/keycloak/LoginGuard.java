package io.github.checktoken.keycloak;

import java.util.Optional;
import java.util.ServiceLoader;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionProvider;

/**
 * Whether the logins of a realm are guarded. In a realm that is not guarded, Keycloak works with its own authentication
 * sessions, and nothing of this project stands in between.
 *
 * <p>The option {@code --spi-authentication-sessions--checktoken--guard} of the server decides, then the realm's attribute
 * {@link #REALM_ATTRIBUTE} with {@code on} or {@code off}.
 */
public record LoginGuard(KeycloakSession session) {

    /** The id of the provider of authentication sessions that guards logins. */
    public static final String PROVIDER_ID = "checktoken";

    public static final String REALM_ATTRIBUTE = "checktoken.login.gate";

    /** With {@code true}, methods and levels are told although nobody guards the realm's logins. */
    public static final String ACCEPTS_UNGUARDED = "checktoken.login.unguarded";

    private static final String SERVER_OPTION =
            "--spi-authentication-sessions--" + PROVIDER_ID + "--" + LoginGuardMode.OPTION;

    private static final String OTHER_PROVIDER =
            "an option of Keycloak's build chooses another provider of authentication sessions. Remove"
                    + " spi-authentication-sessions--provider, spi-authentication-sessions--provider-default and"
                    + " spi-authentication-sessions--checktoken--enabled from the options.";

    /** One of the two JARs has nothing about logins. */
    private static final boolean IN_THE_JAR =
            ServiceLoader.load(Guarding.class, Guarding.class.getClassLoader()).stream()
                    .findAny()
                    .isPresent();

    /** Why a realm is guarded, or not. */
    public enum Reason {
        SERVER_ALL(true),
        SERVER_OFF(false),
        REALM_ON(true),
        REALM_OFF(false),
        USED(true),
        UNUSED(false),
        ABSENT(false);

        private final boolean guarded;

        Reason(boolean guarded) {
            this.guarded = guarded;
        }

        public boolean isGuarded() {
            return guarded;
        }

        /** @return the name of the setting with which an administrator says that there shall be no guard */
        public Optional<String> switchedOffBy() {
            return switch (this) {
                case SERVER_OFF -> Optional.of(SERVER_OPTION);
                case REALM_OFF -> Optional.of(REALM_ATTRIBUTE);
                default -> Optional.empty();
            };
        }
    }

    public boolean isOn(RealmModel realm) {
        return reason(realm).isGuarded();
    }

    public Reason reason(RealmModel realm) {
        return IN_THE_JAR ? reason(LoginGuardMode.CURRENT, realm) : Reason.ABSENT;
    }

    Reason reason(LoginGuardMode mode, RealmModel realm) {
        if (mode == LoginGuardMode.OFF) {
            return Reason.SERVER_OFF;
        }
        String attribute = realm.getAttribute(REALM_ATTRIBUTE);
        if ("on".equals(attribute)) {
            return Reason.REALM_ON;
        }
        if ("off".equals(attribute)) {
            return Reason.REALM_OFF;
        }
        if (mode == LoginGuardMode.ALL) {
            return Reason.SERVER_ALL;
        }
        return RealmUse.usesLogin(session, realm) ? Reason.USED : Reason.UNUSED;
    }

    /** Whether methods and levels may be told: the guard works in this realm, or the realm does without it. */
    public boolean allowsToTell(RealmModel realm) {
        return KeycloakCompatibility.supports(Part.LOGIN)
                && (isUnguardedAccepted(realm) || isOn(realm) && isInUse(session.getKeycloakSessionFactory()));
    }

    boolean isUnguardedAccepted(RealmModel realm) {
        return Boolean.parseBoolean(realm.getAttribute(ACCEPTS_UNGUARDED));
    }

    /** @return why no login can be guarded on this server; then logins of a realm whose guard is on are refused */
    public Optional<String> problem() {
        return isInUse(session.getKeycloakSessionFactory())
                ? KeycloakCompatibility.problem(Part.LOGIN)
                : Optional.of(OTHER_PROVIDER);
    }

    private static boolean isInUse(KeycloakSessionFactory factory) {
        return factory.getProviderFactory(AuthenticationSessionProvider.class) instanceof Guarding;
    }

    /** Tells in the log of the start which realms are guarded. */
    public static void report(KeycloakSessionFactory factory) {
        if (isInUse(factory)) {
            StartReport.tell(Part.LOGIN, () -> LoginGuardMode.CURRENT.realms());
        } else {
            StartReport.off(Part.LOGIN, OTHER_PROVIDER);
        }
    }

    /** The factory of the provider of authentication sessions that guards logins. */
    public interface Guarding {}
}
