package io.github.checktoken.introspection.dataprovider;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.dataprovider.UnusableClaimFilter.Cause;
import io.github.checktoken.telemetry.RecentEntries;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * The claims that this node has left out of answers because their values are unusable. For each data provider and cause,
 * one is remembered and logged, until there was none for an hour.
 */
public final class OmittedClaims {

    /** If there are more, the one that was used least recently is forgotten. */
    private static final int MAX_ENTRIES = 1000;

    private static final Duration LASTS = Duration.ofHours(1);

    private static final Logger logger = Logger.getLogger(OmittedClaims.class);

    private final Map<Key, Entry<Omission, Long>> known = RecentEntries.atMost(MAX_ENTRIES);

    private record Key(String clientUuid, Cause cause) {}

    /**
     * A claim that was left out.
     *
     * @param claim its name, made safe for logs
     * @param reason what is wrong with its value, in English
     */
    public record Omission(String claim, String reason) {}

    /** @return those of this node */
    public static OmittedClaims of(KeycloakSession session) {
        return DataProviderMapper.of(session).omittedClaims;
    }

    /** @param causes by the name of the claim */
    void record(ClientModel client, Map<String, Cause> causes) {
        causes.forEach((claim, cause) -> {
            Omission omission = new Omission(SingleLineText.of(claim), cause.reason());
            Entry<Omission, Long> earlier =
                    known.put(new Key(client.getId(), cause), Map.entry(omission, System.nanoTime()));
            if (!lasts(earlier)) {
                logger.warnf(
                        "Data provider '%s' gets answers without the claim '%s' of a person: %s",
                        SingleLineText.of(client.getClientId()), omission.claim(), omission.reason());
            }
        });
    }

    /** @return at most one for each cause: the last one within the last hour */
    public List<Omission> of(ClientModel client) {
        return Stream.of(Cause.values())
                .map(cause -> known.get(new Key(client.getId(), cause)))
                .filter(Objects::nonNull)
                .filter(OmittedClaims::lasts)
                .map(Entry::getKey)
                .toList();
    }

    private static boolean lasts(Entry<Omission, Long> omission) {
        return omission != null && System.nanoTime() - omission.getValue() < LASTS.toNanos();
    }
}
