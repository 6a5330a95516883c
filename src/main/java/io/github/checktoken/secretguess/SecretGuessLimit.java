package io.github.checktoken.secretguess;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Limits guesses at a client's secret: after a number of different wrong secrets from one address, every secret for the
 * client from this address is rejected for a while without being checked. Calls from other addresses are not affected.
 *
 * <p>Unknown clients are counted in the same way, so that the limit does not reveal which clients exist. All clients
 * share {@value #GROUPS} counts for each address, so that an address that makes up names cannot fill the store.
 *
 * <p>A repeated secret counts once. A guesser learns nothing from repeating it, and a program that keeps using its old
 * secret does not lock out a program at the same address that has the new secret.
 */
public final class SecretGuessLimit {

    private static final Logger logger = Logger.getLogger(SecretGuessLimit.class);
    private static final int GROUPS = 64;

    private final SecretGuessLimitConfig config;
    private final String realm;
    private final String network;
    private final AttemptLimit repeatLimit;
    private final AttemptLimit wrongLimit;
    private final AttemptLimit lock;

    public SecretGuessLimit(KeycloakSession session, SecretGuessLimitConfig config) {
        this.config = config;
        this.realm = session.getContext().getRealm().getName();
        this.network = CallerNetwork.of(session.getContext().getConnection(), config.nat64Prefixes());
        this.repeatLimit = new AttemptLimit(session, "secret-repeated", 1, config.seconds());
        // One slot less than the limit, because the wrong secret that finds no slot starts the lock.
        this.wrongLimit = new AttemptLimit(session, "secret-wrong", config.maxWrong() - 1, config.seconds());
        this.lock = new AttemptLimit(session, "secret-refused", 1, config.seconds());
    }

    /** @return whether the secret must be rejected without being checked */
    public boolean refuses(PresentedSecret secret) {
        return !config.isOff() && lock.isReached(countKey(secret));
    }

    /** Counts a secret with which the client did not authenticate, right after it was checked. */
    public void countWrong(PresentedSecret secret) {
        if (config.isOff()) {
            return;
        }
        String countKey = countKey(secret);
        if (repeatLimit.take(secretKey(countKey, secret)) && !wrongLimit.take(countKey) && lock.take(countKey)) {
            logger.warnf(
                    "Realm %s: %d different wrong secrets for client %s from %s;"
                            + " every secret for it from there is rejected for %d s",
                    realm,
                    config.maxWrong(),
                    SingleLineText.of(secret.clientId()),
                    SingleLineText.of(network),
                    config.seconds());
        }
    }

    private String countKey(PresentedSecret secret) {
        return Math.floorMod(secret.clientId().hashCode(), GROUPS) + "\0" + network;
    }

    /**
     * The key contains the length of the client_id, so that two pairs of client_id and secret never give the same key.
     */
    private static String secretKey(String countKey, PresentedSecret secret) {
        return countKey + "\0" + secret.clientId().length() + "\0" + secret.clientId() + secret.secret();
    }
}
