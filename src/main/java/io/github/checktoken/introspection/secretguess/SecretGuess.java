package io.github.checktoken.introspection.secretguess;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import org.keycloak.crypto.JavaAlgorithm;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientSecretConstants;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * A secret that a call presents for a client that exists. After a number of different wrong secrets for the client from
 * one network, every secret for it from there is rejected for a while without being checked. Calls from other networks
 * are not affected.
 *
 * <p>The client is counted as found and not as written, because a database may find it under several spellings. What
 * was made with a secret of the client never counts, whatever else was wrong with the call: it is no guess. A repeated
 * secret counts once, because a guesser learns nothing from it, and a program that keeps using its old secret must not
 * lock out a program at the same address that has the new one.
 */
public final class SecretGuess {

    private static final Logger logger = Logger.getLogger(SecretGuess.class);

    private final PresentedSecret presented;
    private final ClientModel client;
    private final List<String> secrets;
    private final SecretGuessLimitConfig config;
    private final String network;
    private final AttemptLimit repeatLimit;
    private final AttemptLimit wrongLimit;
    private final AttemptLimit lock;

    private SecretGuess(
            KeycloakSession session,
            SecretGuessLimitConfig config,
            PresentedSecret presented,
            ClientModel client,
            List<String> secrets) {
        this.presented = presented;
        this.client = client;
        this.secrets = secrets;
        this.config = config;
        this.network = CallerNetwork.of(session.getContext().getConnection(), config.nat64Prefixes());
        SecretKey key = slotKey(secrets.get(0));
        this.repeatLimit = new AttemptLimit(session, key, "secret-repeated", 1, config.seconds());
        // One slot less than the limit, because the wrong secret that finds no slot starts the lock.
        this.wrongLimit = new AttemptLimit(session, key, "secret-wrong", config.maxWrong() - 1, config.seconds());
        this.lock = new AttemptLimit(session, key, "secret-refused", 1, config.seconds());
    }

    /** @return empty if nothing can be guessed, because there is no such client or it has no secret, or the limit is off */
    public static Optional<SecretGuess> of(
            KeycloakSession session, SecretGuessLimitConfig config, PresentedSecret presented) {
        KeycloakContext context = session.getContext();
        ClientModel client =
                config.isOff() ? null : session.clients().getClientByClientId(context.getRealm(), presented.clientId());
        List<String> secrets = client == null ? List.of() : secrets(session, client);
        return secrets.isEmpty()
                ? Optional.empty()
                : Optional.of(new SecretGuess(session, config, presented, client, secrets));
    }

    public ClientModel client() {
        return client;
    }

    /** Whether the secret must be rejected without being checked. */
    public boolean isRefused() {
        return lock.isReached(who());
    }

    /** Counts a secret with which the client did not authenticate, right after it was checked. */
    public void countIfWrong() {
        if (secrets.stream().anyMatch(presented::isMadeWith)) {
            return;
        }
        if (repeatLimit.take(who() + "\0" + presented.secret()) && !wrongLimit.take(who()) && lock.take(who())) {
            logger.warnf(
                    "Realm %s: %d different wrong secrets for client %s from %s;"
                            + " every secret for it from there is rejected for %d s",
                    SingleLineText.of(client.getRealm().getName()),
                    config.maxWrong(),
                    SingleLineText.of(client.getClientId()),
                    SingleLineText.of(network),
                    config.seconds());
        }
    }

    private String who() {
        return client.getId() + "\0" + network;
    }

    /** @return the client's secret and the one that it replaced, if there are any, even if they have expired */
    private static List<String> secrets(KeycloakSession session, ClientModel client) {
        return Stream.of(client.getSecret(), client.getAttribute(ClientSecretConstants.CLIENT_ROTATED_SECRET))
                .filter(Objects::nonNull)
                .map(secret -> session.vault().getStringSecret(secret).get().orElse(secret))
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    /**
     * The slots are secret for everybody who has to guess. The realm's own key would be no better, and a call would make
     * Keycloak generate one in a realm that has none. The secret is hashed because a key may need a minimum length.
     */
    private static SecretKey slotKey(String secret) {
        return new SecretKeySpec(
                HashUtils.hash(JavaAlgorithm.SHA512, secret.getBytes(StandardCharsets.UTF_8)), JavaAlgorithm.HS512);
    }
}
