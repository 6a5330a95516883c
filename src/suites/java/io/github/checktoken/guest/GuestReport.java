package io.github.checktoken.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes {@code target/guest/report.md}: a row for each journey, a column for each set-up. What is wrong is bold. */
final class GuestReport {

    private static final Path FILE = Path.of("target", "guest", "report.md");

    private final List<ComparedJourney> journeys = new ArrayList<>();
    private final List<String> costs = new ArrayList<>();

    void add(ComparedJourney journey) {
        journeys.add(journey);
        write();
    }

    /** @param lines in Markdown */
    void addCosts(List<String> lines) {
        costs.addAll(lines);
        write();
    }

    Path file() {
        return FILE.toAbsolutePath();
    }

    private void write() {
        StringBuilder report = new StringBuilder(
                "# Keycloak %s without and with the JAR%n%n".formatted(System.getProperty("keycloak.version")));
        report.append(row("", "Journey", Stream.of(SetUp.values()).map(SetUp::title)));
        report.append("|---".repeat(2 + SetUp.values().length)).append("|\n");
        journeys.forEach(each -> report.append(row(
                each.journey().family(),
                each.journey().name(),
                Stream.of(SetUp.values()).map(setUp -> cell(each, setUp)))));
        report.append('\n').append(String.join("\n", costs)).append('\n');
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String cell(ComparedJourney journey, SetUp setUp) {
        String text = journey.text(setUp).replace("|", "\\|");
        if (setUp != SetUp.WITHOUT_JAR && journey.text(setUp).equals(journey.text(SetUp.WITHOUT_JAR))) {
            return "the same";
        }
        return journey.isRight(setUp) ? text : "**" + text + "**";
    }

    private static String row(String family, String name, Stream<String> cells) {
        return "| %s | %s | %s |%n".formatted(family, name, cells.collect(Collectors.joining(" | ")));
    }
}
