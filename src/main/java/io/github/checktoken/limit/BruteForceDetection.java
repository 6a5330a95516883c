package io.github.checktoken.limit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.services.managers.BruteForceProtector;

/** Keycloak's own count of failures, for a page that is no execution of a flow: Keycloak counts those by itself. */
public final class BruteForceDetection {

    /** From Keycloak 26.6 on it takes the kind of credential as well; null counts as a password does. */
    private static final Method FAILED_LOGIN = Arrays.stream(BruteForceProtector.class.getMethods())
            .filter(method -> method.getName().equals("failedLogin"))
            .findFirst()
            .orElseThrow();

    private BruteForceDetection() {}

    /** Nothing where the realm has switched it off. */
    public static void countFailure(KeycloakSession session, UserModel user) {
        KeycloakContext context = session.getContext();
        RealmModel realm = context.getRealm();
        if (!realm.isBruteForceProtected()) {
            return;
        }
        Object[] arguments = {
            realm, user, context.getConnection(), context.getHttpRequest().getUri(), null
        };
        try {
            FAILED_LOGIN.invoke(
                    session.getProvider(BruteForceProtector.class),
                    Arrays.copyOf(arguments, FAILED_LOGIN.getParameterCount()));
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
