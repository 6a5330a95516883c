package io.github.checktoken.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files that wrk reads: its Lua scripts, and what they send. The latter have tokens, and are deleted at the end. */
public final class LoadFiles implements AutoCloseable {

    private final Path folder;

    public LoadFiles() throws IOException {
        folder = Files.createTempDirectory("bench-");
    }

    /** @return the path of a script under {@code src/test/resources/bench} */
    static String script(String name) {
        try {
            return Path.of(LoadFiles.class.getResource("/bench/" + name).toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes what a load sends. It replaces what an earlier load has sent. */
    String write(List<String> lines) {
        try {
            return Files.write(folder.resolve("lines"), lines).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
