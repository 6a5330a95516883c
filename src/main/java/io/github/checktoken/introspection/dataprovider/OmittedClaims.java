package io.github.checktoken.introspection.dataprovider;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.telemetry.CheckTokenCounter;
import io.github.checktoken.telemetry.LogInterval;
import io.github.checktoken.telemetry.RecentlyUsedMap;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * The claims that this node has left out of answers because their values are unusable. For each data provider and cause,
 * one is remembered for an hour. Each mapper and cause is logged once an hour.
 */
public final class OmittedClaims {

    /** If there are more, the one that was used least recently is forgotten. */
    private static final int MAX_ENTRIES = 1000;

    private static final Duration LASTS = Duration.ofHours(1);

    private static final Logger logger = Logger.getLogger(OmittedClaims.class);

    private final Map<Key, Entry<Omission, Long>> known = RecentlyUsedMap.atMost(MAX_ENTRIES);
    private final LogInterval lines = new LogInterval(LASTS);

    private record Key(String clientUuid, OmissionCause cause) {}

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

    /** @param mapper that gives the claim; empty if it is not known, or if it does not matter for logs */
    void record(ClientModel client, String claim, OmissionCause cause, Optional<ProtocolMapperModel> mapper) {
        String reason = cause.reason()
                + mapper.map(it -> " (mapper '" + SingleLineText.of(it.getName()) + "')")
                        .orElse("");
        Omission omission = new Omission(SingleLineText.of(claim), reason);
        known.put(new Key(client.getId(), cause), Map.entry(omission, System.nanoTime()));
        CheckTokenCounter.CLAIMS_OMITTED.increment(client.getRealm().getName(), "reason", cause.meterReason());
        // Many data providers can share the mapper of a client scope.
        String logged = mapper.map(ProtocolMapperModel::getId).orElseGet(client::getId) + " " + cause;
        if (lines.isDue(logged)) {
            logger.warnf(
                    "Data provider '%s' gets answers without the claim '%s' of a person: %s",
                    SingleLineText.of(client.getClientId()), omission.claim(), omission.reason());
        }
    }

    /** @return at most one for each cause: the last one within the last hour */
    public List<Omission> of(ClientModel client) {
        return Stream.of(OmissionCause.values())
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
