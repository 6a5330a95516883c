package io.github.checktoken.keycloak;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.services.managers.BruteForceProtector;

/**
 * Reports failures to Keycloak's brute force detection from a page that is not an execution of a flow. Keycloak reports
 * the failures of executions itself.
 */
public final class BruteForceDetection {

    /**
     * Found by reflection: since Keycloak 26.6 it has a further parameter, the credential's category. Null counts like
     * a password.
     */
    private static final Method FAILED_LOGIN = Arrays.stream(BruteForceProtector.class.getMethods())
            .filter(method -> method.getName().equals("failedLogin"))
            .findFirst()
            .orElseThrow();

    private BruteForceDetection() {}

    /** Does nothing if brute force detection is off in the realm. */
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
