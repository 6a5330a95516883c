package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the programs and of their runs. They stay below {@code target}, so that one can look at them afterwards. */
final class ExampleFiles {

    private static final Path FOLDER = Path.of("target/examples").toAbsolutePath();

    private ExampleFiles() {}

    static Path newFolder(String prefix) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(FOLDER), prefix);
    }

    static Path newFile(String prefix, String suffix) throws IOException {
        return Files.createTempFile(Files.createDirectories(FOLDER), prefix, suffix);
    }
}
