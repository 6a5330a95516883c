package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

import io.github.checktoken.support.client.Http;

/** Writes {@code report.md}, {@code bench.json} and the chart {@code bench.svg}. */
final class Report {

    private static final String EXPLANATION = """
            CPU is the server's processor time for each answer: of the whole process, in all its threads, without what
            the idle server uses. That of the cryptography alone is of the thread that does it. In each round all
            scenarios of a table are measured one after the other, with all servers on the same processor. A figure is the
            median over the rounds, or its smallest and greatest value if they differ by more than 10 %. *times* compares
            the CPU with Keycloak's introspection on the same server, or without the JAR, in each round by itself. p50 and
            p99 are of single requests, and of whole logins, each counted from the moment at which it was due. Before each
            measurement one answer was decrypted and checked in full; wrk checked the status, the kind and the length of
            every answer.

            Allocated bytes are what the JVM counts for each thread; threads that ended during a measurement are missing.
            Passwords are hashed with one iteration of PBKDF2. All data providers of the group *providers* have the same key
            pair, and each asks about a token of a session of its own. node-oidc-provider has its tokens in memory, without
            a database, and its answers have the same claims.
            """;

    private final Path folder;
    private final Map<String, String> setUp;
    private final int jdk;

    /**
     * @param setUp what was measured: names and values for the head of the report
     * @param jdk the version whose limits count, see {@link Limit}
     */
    Report(Path folder, Map<String, String> setUp, int jdk) {
        this.folder = folder;
        this.setUp = setUp;
        this.jdk = jdk;
    }

    /** Replaces the files, so that a run that fails later leaves what it has measured. */
    void write(List<Row> rows) throws IOException {
        Files.writeString(folder.resolve("report.md"), markdown(rows));
        Files.writeString(folder.resolve("bench.svg"), Chart.of(rows, setUp));
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
                .append(table(rows))
                .append("\n## Limits\n\n| | times | at most | measured | |\n|---|---|---:|---:|---|\n");
        Limit.ALL.stream()
                .filter(limit -> limit.jdk() == jdk)
                .map(limit -> limit.judge(rows))
                .flatMap(Optional::stream)
                .forEach(text::append);
        LoginDifference logins = LoginDifference.of(rows);
        return logins == null ? text.toString() : text + "\nCPU of a login with the JAR: " + logins.text() + "\n";
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
            text.append(new StringJoiner(" | ", "| ", " |\n")
                    .add(row.title())
                    .add(row.figure(Measurement::perSecond).text("%,.0f"))
                    .add(row.figure(Measurement::p50).text("%.2f"))
                    .add(row.figure(Measurement::p99).text("%.2f"))
                    .add(row.figure(Measurement::cpu).text("%.3f"))
                    .add(row.ratio() == null ? "" : row.ratio().text("%.2f"))
                    .add(row.figure(measurement -> measurement.allocated() / 1000)
                            .text("%,.0f")));
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
            result.put("cpu", row.figure(Measurement::cpu).median());
            result.put("times", row.ratio() == null ? null : row.ratio().median());
            result.put("rounds", row.rounds());
            results.add(result);
        }
        return Map.of("setUp", setUp, "results", results);
    }

    static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
