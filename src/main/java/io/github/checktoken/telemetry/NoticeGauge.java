package io.github.checktoken.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/** How many data providers have to act. */
public final class NoticeGauge {

    private static final MultiGauge NOTICES = MultiGauge.builder("checktoken.notices")
            .description("Data providers whose calls will fail if nobody acts")
            .register(Metrics.globalRegistry);

    private NoticeGauge() {}

    /**
     * The data providers of a realm that have the same reason to act.
     *
     * @param realm the realm's name
     */
    public record Group(String realm, String reason) {}

    /** @param counts only groups with one or more; the meters of other groups disappear */
    public static void set(Map<Group, Integer> counts) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((group, count) ->
                rows.add(MultiGauge.Row.of(Tags.of("realm", group.realm(), "reason", group.reason()), count)));
        NOTICES.register(rows, true);
    }
}
