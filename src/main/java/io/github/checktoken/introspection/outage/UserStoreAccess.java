package io.github.checktoken.introspection.outage;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.naming.NamingException;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.StorageUnavailableUserModelDelegate;
import org.keycloak.models.utils.UserModelDelegate;
import org.keycloak.storage.StorageId;
import org.keycloak.storage.StorageUnavailableException;
import org.keycloak.storage.UserStorageProvider;
import org.keycloak.storage.UserStorageProviderModel;

import io.github.checktoken.telemetry.CheckTokenCounter;
import io.github.checktoken.telemetry.LogInterval;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Runs what may ask the user stores of a realm. If a store could not be asked, that is a failure and not an answer;
 * Keycloak itself gives a stand-in for the person instead, which is disabled. A store that hangs holds at most a few
 * threads: see {@link UserStoreCalls}.
 */
public final class UserStoreAccess {

    private static final Logger logger = Logger.getLogger(UserStoreAccess.class);

    private static final UserStoreCalls WAITING = new UserStoreCalls(System::nanoTime);
    private static final LogInterval LOGGED = new LogInterval(Duration.ofMinutes(1));

    private final KeycloakSession session;
    private final RealmModel realm;

    public UserStoreAccess(KeycloakSession session) {
        this.session = session;
        this.realm = session.getContext().getRealm();
    }

    /**
     * Runs a look-up of a person. Whatever fails in it means that a store could not be asked, unless the database failed.
     *
     * @throws UserStoreUnavailableException if a store could not be asked
     */
    public <T> T lookUp(Supplier<T> lookUp) {
        return run(lookUp, failure -> !DatabaseFailure.causes(failure));
    }

    /**
     * Runs mappers, which can fail for reasons of their own.
     *
     * @param user about whom they ask
     * @throws UserStoreUnavailableException if a store could not be asked
     */
    public <T> T map(UserModel user, Supplier<T> mappers) {
        return run(mappers, failure -> causes(failure, user));
    }

    /**
     * @param user null if there is none
     * @throws UserStoreUnavailableException if this is Keycloak's stand-in for a person whose store could not be asked
     * @throws RuntimeException of the store, if it cannot be asked now: call this within {@link #lookUp}
     */
    public void requireReal(UserModel user) {
        UserModel inner = user;
        while (inner instanceof UserModelDelegate delegate) {
            if (inner instanceof StorageUnavailableUserModelDelegate) {
                throw failed(null);
            }
            inner = delegate.getDelegate();
        }
        if (user != null) {
            // Keycloak asks for it again later, where a failure would not be known as one of the store.
            user.isEnabled();
        }
    }

    private <T> T run(Supplier<T> work, Predicate<RuntimeException> isOfStore) {
        if (!hasStores()) {
            return work.get();
        }
        UserStoreCalls.Call call = WAITING.begin(realm.getId())
                .orElseThrow(() -> unavailable("too many calls wait for a user store", null));
        UserStoreCalls.End end = UserStoreCalls.End.UNKNOWN;
        try {
            T result = work.get();
            end = UserStoreCalls.End.ANSWER;
            return result;
        } catch (UserStoreUnavailableException e) {
            end = UserStoreCalls.End.FAILURE;
            throw e;
        } catch (RuntimeException e) {
            if (!isOfStore.test(e)) {
                throw e;
            }
            end = UserStoreCalls.End.FAILURE;
            throw failed(e);
        } finally {
            WAITING.end(call, end);
        }
    }

    private boolean hasStores() {
        return realm.getComponentsStream(realm.getId(), UserStorageProvider.class.getName())
                .anyMatch(store -> new UserStorageProviderModel(store).isEnabled());
    }

    /**
     * Whether a mapper fails because a user store could not be asked. A store can throw anything. So if the exception does
     * not say it, the store of the user is asked again.
     */
    private static boolean causes(RuntimeException failure, UserModel user) {
        return DatabaseFailure.withCauses(failure)
                        .anyMatch(cause ->
                                cause instanceof StorageUnavailableException || cause instanceof NamingException)
                || !DatabaseFailure.causes(failure) && isOfStore(user) && !canBeAsked(user);
    }

    private static boolean isOfStore(UserModel user) {
        return user.isFederated() || !StorageId.isLocalStorage(user.getId());
    }

    /** Asks for everything that mappers read. */
    private static boolean canBeAsked(UserModel user) {
        try {
            user.getAttributes();
            user.getGroupsStream().toList();
            user.getRoleMappingsStream().toList();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private UserStoreUnavailableException failed(RuntimeException failure) {
        return unavailable("a user store could not be asked", failure);
    }

    private UserStoreUnavailableException unavailable(String reason, RuntimeException failure) {
        CheckTokenCounter.USER_STORE_FAILURES.increment(realm.getName());
        if (LOGGED.isDue(realm.getId() + reason)) {
            // Only the type is logged, because the message can name the person.
            logger.warnf(
                    "Calls about persons of realm '%s' get 503: %s (%s)",
                    SingleLineText.of(realm.getName()),
                    reason,
                    failure == null
                            ? "no exception"
                            : DatabaseFailure.rootOf(failure).getClass().getName());
        }
        session.getTransactionManager().setRollbackOnly();
        return new UserStoreUnavailableException(reason, failure);
    }
}
