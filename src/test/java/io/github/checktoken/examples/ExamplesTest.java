package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The guides have every program of {@code docs/examples}, and a test runs each of them. */
class ExamplesTest {

    private static final List<Path> GUIDES = List.of(GuideBlock.GUIDE, Path.of("docs", "service-provider.md"));
    private static final Pattern LINK = Pattern.compile("\\]\\(examples/([^)#]+)\\)");
    private static final Set<String> SPRING = Set.of("spring-data-provider", "spring-service-provider");

    private final String guides = GUIDES.stream().map(ExamplesTest::read).collect(Collectors.joining());

    @Test
    void guidesLinkToEveryProgram() throws IOException {
        Set<String> linked = LINK.matcher(guides)
                .results()
                .map(link -> link.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(programs(), linked);
    }

    @Test
    void guidesHaveTheCommandsThatTheTestsRun() {
        assertAll(Stream.of(Example.values())
                .map(program ->
                        () -> assertTrue(guides.contains("| `" + program.command() + "` |"), program.command())));
    }

    @Test
    void testRunsEveryProgram() throws IOException {
        Set<String> run = Stream.of(Example.values())
                .map(program -> program.source().toString())
                .collect(Collectors.toCollection(TreeSet::new));
        run.addAll(SPRING);
        Stream.of(Recipe.values()).map(Recipe::path).forEach(run::add);
        run.add("data-provider/keys.mjs");

        assertEquals(programs(), run);
    }

    /** @return the files, or the folder of a project or recipe, below {@code docs/examples} */
    private static Set<String> programs() throws IOException {
        Set<String> programs = new TreeSet<>(SPRING);
        try (Stream<Path> recipes = Files.list(Recipe.FOLDER)) {
            recipes.forEach(recipe -> programs.add("service-providers/" + recipe.getFileName()));
        }
        for (String folder : List.of("data-provider", "service-provider")) {
            try (Stream<Path> files = Files.list(Example.FOLDER.resolve(folder))) {
                files.filter(Files::isRegularFile).forEach(file -> programs.add(folder + "/" + file.getFileName()));
            }
        }
        return programs;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
