package io.github.checktoken.introspection.dataprovider;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.keycloak.events.Errors;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.telemetry.RecentlyUsedMap;
import io.github.checktoken.text.SingleLineText;

/**
 * What each data provider was answered on this node, by the reason in the event: since the node started, in the last
 * hour, and when last.
 */
public final class AnswerCounts {

    /** If there are more, the one that was used least recently is forgotten. */
    private static final int MAX_DATA_PROVIDERS = 10_000;

    /** There are about 20. Only another extension can make more; then these are counted as one. */
    private static final int MAX_REASONS = 50;

    /** Other errors need no reason, and Keycloak's reason for them names a session or a client. */
    private static final Set<String> WITH_REASON = Set.of(Errors.INVALID_TOKEN, Errors.TOKEN_INTROSPECTION_FAILED);

    /** Keycloak's words before the reason, which name the service provider. */
    private static final Pattern CLIENT = Pattern.compile("^Introspection access token for .* client: ");

    private static final long BEGIN = System.nanoTime();
    private static final int BEGIN_SECONDS = CurrentTime.seconds();

    private static final String ACTIVE = "active";
    private static final String OTHER = "other";

    private final Map<String, Answers> counts = RecentlyUsedMap.atMost(MAX_DATA_PROVIDERS);

    private static final class Answers {

        private final Map<String, Count> byReason = new ConcurrentHashMap<>();

        /** A value of {@link System#nanoTime()}. */
        private volatile long last;
    }

    private record Count(LongAdder sum, LastHourCounts lastHour) {}

    /** @return those of this node */
    public static AnswerCounts of(KeycloakSession session) {
        return DataProviderMapper.of(session).answerCounts;
    }

    /**
     * @param error the event's error; null if the token is active
     * @param reason the event's detail {@code reason}; null if it has none
     */
    public void count(ClientModel client, String error, String reason) {
        Answers answers = counts.computeIfAbsent(client.getId(), id -> new Answers());
        answers.last = System.nanoTime();
        Map<String, Count> own = answers.byReason;
        String answer = error == null ? ACTIVE : inWords(error, reason);
        String counted = own.containsKey(answer) || own.size() < MAX_REASONS ? answer : OTHER;
        Count count = own.computeIfAbsent(counted, key -> new Count(new LongAdder(), new LastHourCounts()));
        count.sum.increment();
        count.lastHour.count(secondsOnTheNode());
    }

    /** @return how often, by {@code active}, or the event's error with its reason if it can have several */
    public SortedMap<String, Long> of(ClientModel client) {
        return each(client, count -> count.sum.sum());
    }

    /** @return the same of the last hour, as {@link LastHourCounts#until} has it */
    public SortedMap<String, List<Integer>> ofLastHour(ClientModel client) {
        int now = secondsOnTheNode();
        return each(client, count -> count.lastHour.until(now));
    }

    private <T> SortedMap<String, T> each(ClientModel client, Function<Count, T> value) {
        SortedMap<String, T> values = new TreeMap<>();
        Optional.ofNullable(counts.get(client.getId()))
                .ifPresent(own -> own.byReason.forEach((answer, count) -> values.put(answer, value.apply(count))));
        return values;
    }

    /**
     * @param id of a client
     * @return when it was answered last, whatever the answer; empty if it has not been answered
     */
    public Optional<Instant> last(String id) {
        return Optional.ofNullable(counts.get(id)).map(own -> CurrentTime.in(own.last - System.nanoTime()));
    }

    /**
     * @param ids of clients
     * @return the same, sorted: first those that have not been answered, then those whose last answer is the oldest
     */
    public List<String> longestSilentFirst(List<String> ids) {
        long now = System.nanoTime();
        Map<String, Long> silence = new HashMap<>();
        for (String id : ids) {
            Answers own = counts.get(id);
            silence.put(id, own == null ? Long.MAX_VALUE : now - own.last);
        }
        return ids.stream()
                .sorted(Comparator.comparing(silence::get).reversed())
                .toList();
    }

    /** @return seconds since the epoch, by the clock as it was when this class was loaded */
    private static int secondsOnTheNode() {
        return BEGIN_SECONDS + (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - BEGIN);
    }

    private static String inWords(String error, String reason) {
        return reason != null && WITH_REASON.contains(error)
                ? error + ": " + SingleLineText.of(CLIENT.matcher(reason).replaceFirst(""))
                : error;
    }
}
