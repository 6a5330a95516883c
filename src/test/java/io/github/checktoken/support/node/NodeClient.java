package io.github.checktoken.support.node;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.Executable;

/**
 * Runs a script of {@code src/test/node}, which is a client made of third-party libraries. It reads JSON from the
 * standard input and writes JSON to the standard output, so that no secret is ever an argument.
 */
public final class NodeClient {

    private static final Path FOLDER = Path.of("src", "test", "node");
    private static final int LIMIT_SECONDS = 60;
    private static final String NOT_FOUND =
            "This test needs Node 20 or later on the PATH and the packages in src/test/node: run npm ci there.";

    private NodeClient() {}

    /**
     * @param script file name, without {@code .mjs}
     * @param job what the script reads
     * @return what it prints
     */
    public static JsonNode run(String script, Object job) {
        Optional<Path> node = Executable.find("node");
        if (node.isEmpty() || !Files.isDirectory(FOLDER.resolve("node_modules"))) {
            return Executable.isMissing(NOT_FOUND);
        }
        try {
            return run(node.get(), script + ".mjs", Http.JSON.writeValueAsBytes(job));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return the names and exact versions of the libraries */
    static String packages() {
        try {
            List<String> packages = new ArrayList<>();
            Http.json(Files.readString(FOLDER.resolve("package.json")))
                    .get("dependencies")
                    .properties()
                    .forEach(dependency -> packages.add(
                            dependency.getKey() + " " + dependency.getValue().asText()));
            return String.join(", ", packages);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Both outputs go to files, because reading a pipe to its end would take for ever if the script hangs. */
    private static JsonNode run(Path node, String script, byte[] job) throws IOException, InterruptedException {
        Path output = Files.createTempFile("node", ".out");
        Path errors = Files.createTempFile("node", ".err");
        Process process = new ProcessBuilder(node.toString(), script)
                .directory(FOLDER.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            hand(process, job);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(script + " took more than " + LIMIT_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new AssertionError(script + ": " + Files.readString(errors));
            }
            return Http.json(Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
            Files.delete(errors);
        }
    }

    private static void hand(Process process, byte[] job) {
        try (OutputStream input = process.getOutputStream()) {
            input.write(job);
        } catch (IOException e) {
            // The script ended before it read everything. Its exit value and its error output say why.
        }
    }
}
