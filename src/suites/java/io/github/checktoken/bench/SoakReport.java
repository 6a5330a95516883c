package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import io.github.checktoken.bench.server.Footprint;

/** Writes {@code report.md}. */
final class SoakReport {

    private static final String HEAD = """
            # Soak

            %s
            Each line is one minute of load. After each minute the load stops for a moment, and the last seven columns are
            read. *answers/s* and *p99* are of checktoken. *CPU* is a share of what the server used at its full capacity.
            *renewals* are refreshes and, every tenth time, a login with single sign-on. *sessions* is the number of user
            sessions in the database; each key rotation adds one or two, because the administrator signs in. *user session*
            and *client session* are the sizes of the largest of them, with their notes. wrk checked the status, the kind and the length of every answer; one answer in each minute, and
            every login and renewal, was checked in full.

            | min | answers/s | p99 ms | CPU | logins | renewals | rotations | failures | heap MB | RSS MB | threads |\
             files | sessions | user session B | client session B |
            |%s
            """;

    private static final double MEGA = 1e6;
    private static final int MOST_FAILURES = 20;

    private final Path folder;
    private final Map<String, String> setUp;

    /** @param setUp what was measured: names and values for the head of the report */
    SoakReport(Path folder, Map<String, String> setUp) {
        this.folder = folder;
        this.setUp = setUp;
    }

    /** Replaces the file, so that a run that fails later leaves what it has measured. */
    void write(List<SoakSample> samples, List<SoakLimit> limits, List<String> failures) throws IOException {
        StringBuilder text = new StringBuilder(HEAD.formatted(list(setUp), "---:|".repeat(15)));
        for (int minute = 1; minute <= samples.size(); minute++) {
            text.append(line(minute, samples.get(minute - 1)));
        }
        text.append("\n| Limit | measured | at most | |\n|---|---:|---:|---|\n");
        for (SoakLimit limit : limits) {
            text.append("| %s | %s | %s | %s |%n"
                    .formatted(
                            limit.name(),
                            Report.number("%,.0f", limit.value()),
                            Report.number("%,.0f", limit.most()),
                            limit.isMet() ? "met" : "**not met**"));
        }
        failures.stream()
                .limit(MOST_FAILURES)
                .forEach(failure -> text.append("\n- ").append(failure));
        Files.writeString(folder.resolve("report.md"), text);
    }

    private static String list(Map<String, String> setUp) {
        StringBuilder lines = new StringBuilder();
        setUp.forEach((name, value) -> lines.append("- %s: %s%n".formatted(name, value)));
        return lines.toString();
    }

    private static String line(int minute, SoakSample sample) {
        StringJoiner cells = new StringJoiner(" | ", "| ", " |\n");
        cells.add("" + minute);
        cells.add(Report.number("%,.0f", sample.answersPerSecond()));
        cells.add(Report.number("%.1f", sample.p99()));
        cells.add(Report.number("%.0f %%", sample.cpu() * 100));
        cells.add("" + sample.logins());
        cells.add("" + sample.renewals());
        cells.add("" + sample.rotations());
        cells.add("" + sample.failures());
        Footprint after = sample.after();
        cells.add(Report.number("%.1f", after.heapBytes() / MEGA));
        cells.add(Report.number("%.0f", after.residentBytes() / MEGA));
        cells.add("" + after.threads());
        cells.add("" + after.files());
        cells.add("" + after.sessions());
        cells.add("" + after.userSessionBytes());
        cells.add("" + after.clientSessionBytes());
        return cells.toString();
    }
}
