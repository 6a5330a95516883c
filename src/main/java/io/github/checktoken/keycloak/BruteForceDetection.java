package io.github.checktoken.keycloak;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.ws.rs.core.UriInfo;

import org.keycloak.common.ClientConnection;
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

    private static final List<Class<?>> PARAMETERS =
            List.of(RealmModel.class, UserModel.class, ClientConnection.class, UriInfo.class, Set.class);

    /** Since Keycloak 26.6, it has the last parameter, the categories of the credential. Null counts like a password. */
    private static final Method FAILED_LOGIN = Stream.of(BruteForceProtector.class.getMethods())
            .filter(method -> method.getName().equals("failedLogin"))
            .filter(method -> Stream.of(PARAMETERS, PARAMETERS.subList(0, 4))
                    .anyMatch(List.of(method.getParameterTypes())::equals))
            .max(Comparator.comparing(Method::getParameterCount))
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
