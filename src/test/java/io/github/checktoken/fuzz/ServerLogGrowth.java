package io.github.checktoken.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The lines that a server has added to its log since this object was created. Other test classes use the server at the
 * same time, so a stack trace counts only if its line has the trace id of {@link #traceParent()}, which the hostile
 * calls send.
 */
final class ServerLogGrowth {

    private static final String FRAME = "\tat io.github.checktoken.";

    /** Characters that end a line in some programs, or that move the cursor in a terminal. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029&&[^\\t]]");

    /** Keycloak's form reader writes into the log what it cannot decode, before any provider is called. */
    private static final String UNREADABLE_FORM = "Failed to decode URL";

    /** RESTEasy throws if the address of a request with a malformed Host header is read. */
    private static final String MALFORMED_HOST = "RuntimeException: java.net.URISyntaxException";

    private final String traceId = UUID.randomUUID().toString().replace("-", "");
    private final Path log;
    private final long begin;
    private long searched;

    ServerLogGrowth(Path log) throws IOException {
        this.log = log;
        this.begin = Files.size(log);
        this.searched = begin;
    }

    /**
     * The header {@code traceparent} (W3C Trace Context) that the calls send. The server writes its trace id on each
     * line that it logs for them.
     */
    String traceParent() {
        return "00-" + traceId + "-" + traceId.substring(16) + "-00";
    }

    /**
     * Whether the server has logged a line with the trace id of the calls. If it has not, {@link #hasFrame} cannot find
     * a stack trace either.
     */
    boolean hasLine() throws IOException {
        try (BufferedReader lines = from(begin)) {
            return lines.lines().anyMatch(line -> line.contains("traceId=" + traceId));
        }
    }

    /**
     * Whether the server has logged a stack trace with code of this project for one of the calls since this method was
     * last called.
     */
    synchronized boolean hasFrame() {
        try (BufferedReader lines = from(searched)) {
            searched = Files.size(log);
            boolean counts = false;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("20")) {
                    counts = line.contains("traceId=" + traceId) && !line.contains(MALFORMED_HOST);
                } else if (line.startsWith(FRAME) && counts) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the lines that a caller has begun, and the lines of this project that have a control character */
    List<String> forged() throws IOException {
        List<String> forged = new ArrayList<>();
        String start = "";
        try (BufferedReader lines = from(begin)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("20")) {
                    start = line;
                }
                if (start.contains(UNREADABLE_FORM)) {
                    continue;
                }
                // Keycloak's own lines may have control characters that do not end the line.
                if (line.startsWith(HostileInput.FORGED)
                        || line.contains("[io.github.checktoken")
                                && CONTROL.matcher(line).find()) {
                    forged.add(line);
                }
            }
        }
        return forged;
    }

    private BufferedReader from(long position) throws IOException {
        InputStream bytes = Files.newInputStream(log);
        bytes.skipNBytes(position);
        return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
    }
}
