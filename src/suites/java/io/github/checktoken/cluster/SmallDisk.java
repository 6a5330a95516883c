package io.github.checktoken.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.server.Executable;

/** A file system of a megabyte in memory, which a test fills. Only root can mount one. */
final class SmallDisk implements AutoCloseable {

    private final Path folder;

    /** Ends the test if no file system can be mounted. */
    SmallDisk() throws IOException, InterruptedException {
        folder = Files.createTempDirectory("checktoken-disk-");
        if (run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString()) != 0) {
            Files.delete(folder);
            Executable.isMissing("No file system can be mounted here: the test of a full disk needs root");
        }
    }

    Path folder() {
        return folder;
    }

    /** Writes a file until there is no room left. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filler())) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (folder.toFile().getUsableSpace() > 0) {
                throw e;
            }
        }
    }

    /** Deletes that file. */
    void free() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("umount", "--lazy", folder.toString());
        Files.delete(folder);
    }
}
