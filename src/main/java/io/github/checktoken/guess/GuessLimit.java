package io.github.checktoken.guess;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Ends guesses at a client's secret: after so many different wrong ones from one address, every secret from there is refused
 * for a while, unchecked. From any other address the client goes on.
 *
 * <p>A client that does not exist is counted like one that does, so that the limit tells nobody which it is. Clients share
 * {@value #GROUPS} counts for each address: that bounds what one address can make the server remember, however many names
 * it makes up.
 *
 * <p>A secret that is repeated counts once. It tells a guesser nothing new, and a program that goes on with its old secret
 * does not lock out its neighbour that has the new one.
 */
public final class GuessLimit {

    private static final Logger logger = Logger.getLogger(GuessLimit.class);
    private static final int GROUPS = 64;

    private final GuessLimitConfig config;
    private final String realm;
    private final String network;
    private final AttemptLimit repeated;
    private final AttemptLimit wrong;
    private final AttemptLimit refused;

    public GuessLimit(KeycloakSession session, GuessLimitConfig config) {
        this.config = config;
        this.realm = session.getContext().getRealm().getName();
        this.network = CallerNetwork.of(session.getContext().getConnection());
        this.repeated = new AttemptLimit(session, "secret-repeated", 1, config.seconds());
        // The last one finds no slot, and begins the refusal.
        this.wrong = new AttemptLimit(session, "secret-wrong", config.maxWrong() - 1, config.seconds());
        this.refused = new AttemptLimit(session, "secret-refused", 1, config.seconds());
    }

    /** @return whether the secret must not be looked at */
    public boolean refuses(PresentedSecret secret) {
        return !config.isOff() && refused.isReached(count(secret));
    }

    /** Counts a secret with which the client did not authenticate, right after it was checked. */
    public void countWrong(PresentedSecret secret) {
        if (config.isOff()) {
            return;
        }
        String count = count(secret);
        if (repeated.take(distinct(count, secret)) && !wrong.take(count) && refused.take(count)) {
            logger.warnf(
                    "Realm %s: %d different wrong secrets for client %s from %s; its secrets from there are refused for %d s",
                    realm,
                    config.maxWrong(),
                    SingleLineText.of(secret.clientId()),
                    SingleLineText.of(network),
                    config.seconds());
        }
    }

    private String count(PresentedSecret secret) {
        return Math.floorMod(secret.clientId().hashCode(), GROUPS) + "\0" + network;
    }

    /** With the length of the client's name, so that no other division into name and secret reads the same. */
    private static String distinct(String count, PresentedSecret secret) {
        return count + "\0" + secret.clientId().length() + "\0" + secret.clientId() + secret.secret();
    }
}
