package io.github.checktoken.support.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class LogSearchTest {

    private static final String TOKEN = "0123456789".repeat(6) + "abcdefghij".repeat(6);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "739154, the PIN is 739154",
        "739154, 739154",
        "739154, pin=739154&x",
        "Moreau, Camille Moreau signs in",
        "demo-secret, \"demo-secret\""
    })
    void valueIsFoundWhereItStandsAlone(String value, String line) throws IOException {
        assertEquals(List.of("PIN: " + line), search(value, line));
    }

    @ParameterizedTest
    @CsvSource({
        "739154, 17391540",
        "739154, id 0a-739154-b7",
        "739154, 73915",
        "demo-secret, my-demo-secret",
        "unknown, the client is unknown",
        "12345, 12345"
    })
    void partOfAnIdAndOrdinaryWordsAreNotSearchedFor(String value, String line) throws IOException {
        assertEquals(List.of(), search(value, line));
    }

    @Test
    void eitherHalfOfALongValueIsFound() throws IOException {
        assertEquals(
                1,
                search(TOKEN, "token " + TOKEN.substring(0, TOKEN.length() / 2) + "...")
                        .size());
        assertEquals(
                1, search(TOKEN, "..." + TOKEN.substring(TOKEN.length() / 2)).size());
    }

    @Test
    void stateOfALoginAtAProviderIsNoToken() throws IOException {
        String part = TOKEN.substring(TOKEN.length() / 2 - 40, TOKEN.length() / 2);
        assertEquals(List.of(), search(TOKEN, "redirectionUrl=http://localhost/endpoint?error=denied&state=" + part));
        assertEquals(1, search(TOKEN, "endpoint?state=a " + part).size());
    }

    @Test
    void testsThatRanThenAreNamed() throws IOException {
        TestTimes tests = new TestTimes();
        LocalDateTime begin = LocalDateTime.of(2026, 11, 21, 10, 0);
        tests.add("before", begin.minusMinutes(2), begin.minusSeconds(1));
        tests.add("PinIT.one", begin, begin.plusSeconds(3));
        tests.add("PinIT.other", begin.plusSeconds(1), begin.plusSeconds(5));
        tests.add("after", begin.plusSeconds(3), begin.plusSeconds(9));
        String line = "2026-11-21 10:00:02,500 WARN  [org.keycloak.events] (executor-1) 739154";
        assertEquals(List.of("PIN of [PinIT.one, PinIT.other]: " + line), search("739154", line, tests));
        String stack = "\tat 739154";
        assertEquals(
                List.of("PIN of [PinIT.one, PinIT.other]: " + stack),
                search("739154", line.replace("739154", "failed:\n" + stack), tests));
    }

    private List<String> search(String value, String line) throws IOException {
        return search(value, line, new TestTimes());
    }

    private List<String> search(String value, String line, TestTimes tests) throws IOException {
        Map<String, String> values = new HashMap<>();
        LogSearch.add(values, "PIN", value);
        Path log = Files.writeString(folder.resolve("log"), "INFO started\n" + line + "\n");
        return LogSearch.search(log, values, tests);
    }
}
