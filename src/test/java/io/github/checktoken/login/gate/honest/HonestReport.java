package io.github.checktoken.login.gate.honest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Writes to {@code target/honest} what each login was answered, step by step. Answers to requests that were sent at once
 * are separated by a bar.
 */
public final class HonestReport {

    private final Path file;

    /** @param name of the file */
    public HonestReport(String name) {
        Path folder = Path.of("target", "honest");
        this.file = folder.resolve(name + ".txt");
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public synchronized void add(HonestLogin login, String how, List<HonestTab> tabs) {
        StringBuilder text = new StringBuilder();
        tabs.forEach(tab -> text.append("%s, %s: %s%n".formatted(login, how, String.join(", ", tab.seen()))));
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
