package io.github.checktoken.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.nimbusds.jose.util.JSONObjectUtils;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The table of rules in {@code clients/README.md}: each case has a rule, and this library has each rule. */
class RulesTest {

    @Test
    void eachCaseHasARuleAndEachRuleIsOurs() throws Exception {
        String readme = Files.readString(Path.of("../README.md"));
        List<String> table = readme.substring(readme.indexOf("| Rule | Java |"))
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        Map<String, String> java = table.stream()
                .skip(2)
                .map(line -> line.split(" *\\| *"))
                .collect(Collectors.toMap(cells -> cells[1], cells -> cells.length > 2 ? cells[2] : ""));
        java.forEach((rule, text) -> assertTrue(text.length() > 5, rule));
        Map<String, Object> network = JSONObjectUtils.parse(Files.readString(Path.of("../testkit/network.json")));
        for (Map<String, Object> found : JSONObjectUtils.getJSONObjectArray(network, "cases")) {
            assertTrue(java.containsKey((String) found.get("rule")), found.toString());
        }
        assertEquals(10, new TreeSet<>(java.keySet()).size());
    }
}
