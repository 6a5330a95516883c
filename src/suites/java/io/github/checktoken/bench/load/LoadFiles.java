package io.github.checktoken.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.checktoken.support.client.Http;

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

    /**
     * Calls with these forms, of which wrk chooses one at random each time.
     *
     * @param accept the header {@code Accept}; empty for none
     * @param sign what each answer must contain
     * @param length the length of a right answer; others may differ by a tenth, because some ids and tokens are longer
     */
    Wrk.Load introspections(
            String url, int connections, List<Map<String, String>> forms, String accept, String sign, int length) {
        return new Wrk.Load(
                script("introspection.lua"),
                url,
                1,
                connections,
                List.of(
                        write(forms.stream().map(Http::encode).toList()),
                        accept,
                        sign,
                        "" + (long) (length * 0.9),
                        "" + (long) (length * 1.1)));
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
