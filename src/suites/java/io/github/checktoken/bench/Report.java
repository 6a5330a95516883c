package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

import io.github.checktoken.support.client.Http;

/** Writes {@code report.md}, {@code bench.json} and {@code bench.svg}. */
final class Report {

    private static final String EXPLANATION = """
            CPU is the server's processor time for each answer: of the whole process, in all its threads, without what
            the idle server uses. That of the cryptography alone is of the thread that does it. Figures are medians over
            the rounds. In each round all scenarios of a table are measured one after the other. *times* compares the CPU
            with the baseline of the same table, in each round by itself. p50 and p99 are of single requests; a login is
            three requests. In the group *login-rate* they are of whole logins, each counted from the moment at which it
            was due. Before each measurement one answer was decrypted and checked in full; wrk checked the status,
            the kind and the length of every answer.

            Allocated bytes are what the JVM counts for each thread; threads that ended during a measurement are
            missing. Passwords are hashed with one iteration of PBKDF2. All data providers of the group *providers* have
            the same key pair, and each asks about a token of a session of its own.
            """;

    private final Path folder;
    private final Map<String, String> setUp;
    private final String limits;

    /**
     * @param setUp what was measured: names and values for the head of the report
     * @param limits the set-up whose limits count, see {@link Limit}
     */
    Report(Path folder, Map<String, String> setUp, String limits) {
        this.folder = folder;
        this.setUp = setUp;
        this.limits = limits;
    }

    /** Replaces the files, so that a run that fails later leaves what it has measured. */
    void write(List<Row> rows) throws IOException {
        Files.writeString(folder.resolve("report.md"), markdown(rows));
        Files.writeString(folder.resolve("bench.svg"), Chart.of(rows));
        Http.JSON
                .writerWithDefaultPrettyPrinter()
                .writeValue(folder.resolve("bench.json").toFile(), json(rows));
    }

    private String markdown(List<Row> rows) {
        StringBuilder text = new StringBuilder("# What a call costs\n\n");
        setUp.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append("\n"));
        text.append("\n")
                .append(EXPLANATION)
                .append("\n![CPU for each answer](bench.svg)\n")
                .append(table(rows));
        text.append("\n## Limits\n\n");
        for (Limit limit : Limit.ALL) {
            Double most = limit.most().get(limits);
            limit.times(rows).ifPresent(times -> {
                if (most != null) {
                    text.append("- %s: at most %s times (%s): **%s** (%s)%n"
                            .formatted(
                                    limit.name(),
                                    most,
                                    String.join(" + ", limit.comparedWith()),
                                    times <= most ? "met" : "not met",
                                    number("%.2f", times)));
                }
            });
        }
        return text.toString();
    }

    /** @return a table for each group */
    static String table(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        String group = "";
        for (Row row : rows) {
            if (!row.group().equals(group)) {
                group = row.group();
                text.append("\n## ")
                        .append(group)
                        .append("\n\n| | answers/s | p50 ms | p99 ms | CPU ms | times | kB allocated |\n")
                        .append("|---|---:|---:|---:|---:|---:|---:|\n");
            }
            Measurement median = row.median();
            StringJoiner cells = new StringJoiner(" | ", "| ", " |\n");
            cells.add((row.size() == 0 ? "" : number("%,d: ", row.size())) + row.name());
            cells.add(number("%,.0f", median.perSecond()));
            cells.add(known("%.2f", median.p50()));
            cells.add(known("%.2f", median.p99()));
            cells.add(number("%.3f", median.cpu()));
            cells.add(times(row));
            cells.add(known("%,.0f", median.allocated() / 1000));
            text.append(cells);
        }
        return text.toString();
    }

    private Map<String, Object> json(List<Row> rows) {
        List<Map<String, Object>> results = new ArrayList<>();
        for (Row row : rows) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("group", row.group());
            result.put("size", row.size());
            result.put("name", row.name());
            result.put("ratio", Double.isNaN(row.ratio()) ? null : row.ratio());
            result.put("median", row.median());
            result.put("rounds", row.rounds());
            results.add(result);
        }
        return Map.of("setUp", setUp, "results", results);
    }

    private static String times(Row row) {
        return known("%.2f", row.ratio());
    }

    private static String known(String format, double value) {
        return Double.isNaN(value) ? "" : number(format, value);
    }

    static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
