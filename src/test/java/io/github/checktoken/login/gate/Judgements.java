package io.github.checktoken.login.gate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A file with a line for each thing that somebody has looked at: its name, " = ", and the judgement. */
final class Judgements {

    private final Path file;
    private final SortedMap<String, String> lines = new TreeMap<>();

    Judgements(String name) throws IOException {
        file = Path.of("src/test/resources", name);
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" = ", 2);
                lines.put(parts[0], parts[1]);
            }
        }
    }

    /** @return the names with this judgement that begin with a prefix, without it */
    Set<String> names(String prefix, String judgement) {
        Set<String> names = new TreeSet<>();
        lines.forEach((name, given) -> {
            if (name.startsWith(prefix) && given.equals(judgement)) {
                names.add(name.substring(prefix.length()));
            }
        });
        return names;
    }

    void assertContain(Collection<String> found, String whatToDo) {
        List<String> missing =
                found.stream().filter(name -> !lines.containsKey(name)).toList();
        assertEquals(List.of(), missing, "Nobody has judged these. " + whatToDo + " Then add them to " + file + ".");
    }
}
