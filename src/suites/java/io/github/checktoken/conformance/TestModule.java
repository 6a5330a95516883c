package io.github.checktoken.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of {@code conformance-modules.txt}, where its parts are described.
 *
 * @param argument what follows the step after a colon; may be empty
 */
record TestModule(
        String name,
        Set<TestPlan> plans,
        Map<String, String> client,
        Map<String, String> request,
        String step,
        String argument) {

    private static final Path TABLE = Path.of("src", "test", "resources", "conformance-modules.txt");

    static List<TestModule> all() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(TestModule::of)
                .toList();
    }

    private static TestModule of(String row) {
        String[] columns = row.split(" *\\| *");
        String[] step = columns[4].split(": ", 2);
        return new TestModule(
                columns[0],
                Stream.of(columns[1].split(", "))
                        .flatMap(TestPlan::of)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(TestPlan.class))),
                parameters(columns[2]),
                parameters(columns[3]),
                step[0],
                step.length == 1 ? "" : step[1]);
    }

    /** @return what the client registers, if its host has this address */
    Map<String, String> client(String host) {
        Map<String, String> metadata = new LinkedHashMap<>(client);
        metadata.replaceAll((name, value) -> value.replace("{host}", host));
        return metadata;
    }

    /** @param text names and values, as in a row of the table */
    static Map<String, String> parameters(String text) {
        return Stream.of(text.split(" & "))
                .filter(each -> !each.isEmpty())
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }
}
