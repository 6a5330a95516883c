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
 * What a server's log has got since this was made. Other test classes use the server at the same time, so a stack trace
 * counts only where it stands under {@link #traceParent()}, the trace that the hostile calls send.
 */
final class ServerLogGrowth {

    private static final String FRAME = "\tat io.github.checktoken.";

    /** What ends a line somewhere, or moves the cursor of who reads the log in a terminal. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029&&[^\\t]]");

    /** Keycloak's form reader quotes what it cannot decode, before any provider is asked. */
    private static final String UNREADABLE_FORM = "Failed to decode URL";

    /** RESTEasy throws when the address of a request with a malformed Host header is read. */
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

    /** The header {@code traceparent} of the calls (W3C Trace Context); the server writes its trace id on each line. */
    String traceParent() {
        return "00-" + traceId + "-" + traceId.substring(16) + "-00";
    }

    /** Whether the server has written a line for one of the calls: without one, a stack trace would not be seen either. */
    boolean hasLine() throws IOException {
        try (BufferedReader lines = from(begin)) {
            return lines.lines().anyMatch(line -> line.contains("traceId=" + traceId));
        }
    }

    /** Whether a stack trace with code of this project has come for one of the calls since this was asked last. */
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

    /** Lines that a caller has begun, or written a control character into. */
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
                // Keycloak's own lines keep what ends no line of theirs.
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
