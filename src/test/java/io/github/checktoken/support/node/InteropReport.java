package io.github.checktoken.support.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.github.checktoken.support.server.NativeCrypto;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Writes a row for each test of its class into {@code target/interop/report.md}, whatever the outcome. The display name
 * of a test must be {@code client | what it did}.
 */
public final class InteropReport implements TestWatcher {

    private static final Path FILE = Path.of("target", "interop", "report.md");
    private static final int LONGEST_REASON = 200;

    /** The rows of all classes, by section. They are sorted, because the tests have no fixed order. */
    private static final Map<String, Set<String>> SECTIONS = new TreeMap<>();

    private final String section;

    /** @param section the heading above the rows of the class */
    public InteropReport(String section) {
        this.section = section;
    }

    @Override
    public void testSuccessful(ExtensionContext test) {
        add(test, "passed");
    }

    @Override
    public void testFailed(ExtensionContext test, Throwable cause) {
        add(test, "**failed**: " + firstLine(cause));
    }

    @Override
    public void testAborted(ExtensionContext test, Throwable cause) {
        add(test, "not run: " + firstLine(cause));
    }

    @Override
    public void testDisabled(ExtensionContext test, Optional<String> reason) {
        add(test, "not run: " + reason.orElse("disabled"));
    }

    private static String firstLine(Throwable cause) {
        String line =
                String.valueOf(cause.getMessage()).strip().lines().findFirst().orElse("");
        return line.substring(0, Math.min(line.length(), LONGEST_REASON)).replace("|", "\\|");
    }

    private void add(ExtensionContext test, String outcome) {
        test.getRoot().getStore(ExtensionContext.Namespace.GLOBAL).computeIfAbsent(InteropReport.class, type ->
                (AutoCloseable) InteropReport::sayWhere);
        String where =
                NativeCrypto.Condition.holds(test.getRequiredTestClass()) ? section + " with Conscrypt" : section;
        SECTIONS.computeIfAbsent(where, name -> new TreeSet<>())
                .add("| " + test.getDisplayName() + " | " + outcome + " |");
        write();
    }

    private static void sayWhere() {
        System.out.println("The report on real clients and algorithms: " + FILE.toAbsolutePath());
    }

    /** Writes the whole file each time, so that a run that is aborted leaves the rows that it has reached. */
    private static void write() {
        StringBuilder report = new StringBuilder("# Real clients\n\nKeycloak ")
                .append(System.getProperty("keycloak.version"))
                .append(", nimbus-jose-jwt ")
                .append(System.getProperty("nimbus.version"))
                .append(", ")
                .append(NodeClient.packages())
                .append('\n');
        SECTIONS.forEach((section, rows) -> report.append("\n## " + section + "\n\n")
                .append("| Client | What | Outcome |\n|---|---|---|\n")
                .append(String.join("\n", rows))
                .append('\n'));
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
