package io.github.checktoken.walk.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The flows of {@code walk-flows.txt} in the form of a realm's JSON. */
public final class FlowText {

    private final Map<String, List<Map<String, Object>>> executions = new LinkedHashMap<>();
    private final List<String> topLevel = new ArrayList<>();
    private final List<Map<String, Object>> configs = new ArrayList<>();

    private FlowText(String text) {
        Deque<String> parents = new ArrayDeque<>();
        for (String line : text.lines().toList()) {
            if (!line.startsWith("#") && !line.isBlank()) {
                int depth = (line.length() - line.stripLeading().length()) / 2;
                while (parents.size() > depth) {
                    parents.pop();
                }
                read(line.strip().split(" "), parents);
            }
        }
    }

    public static FlowText load() {
        try (InputStream file = FlowText.class.getResourceAsStream("/walk-flows.txt")) {
            return new FlowText(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Map<String, Object>> flows() {
        List<Map<String, Object>> flows = new ArrayList<>();
        executions.forEach((alias, steps) -> flows.add(Map.of(
                "alias",
                alias,
                "providerId",
                "basic-flow",
                "topLevel",
                topLevel.contains(alias),
                "builtIn",
                false,
                "authenticationExecutions",
                steps)));
        return flows;
    }

    public List<Map<String, Object>> configs() {
        return configs;
    }

    private void read(String[] words, Deque<String> parents) {
        if (parents.isEmpty()) {
            topLevel.add(words[0]);
            add(words[0], parents);
            return;
        }
        List<Map<String, Object>> siblings = executions.get(parents.peek());
        Map<String, Object> execution = new HashMap<>();
        execution.put("requirement", words[0]);
        execution.put("priority", 10 * (siblings.size() + 1));
        siblings.add(execution);
        if (words[1].endsWith(":")) {
            String alias = parents.peek() + " " + words[1].substring(0, words[1].length() - 1);
            execution.put("flowAlias", alias);
            execution.put("authenticatorFlow", true);
            add(alias, parents);
        } else {
            execution.put("authenticator", words[1]);
            if (words.length > 2) {
                execution.put("authenticatorConfig", config(words));
            }
        }
    }

    private void add(String alias, Deque<String> parents) {
        executions.put(alias, new ArrayList<>());
        parents.push(alias);
    }

    private String config(String[] words) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 2; i < words.length; i++) {
            String[] setting = words[i].split("=");
            settings.put(setting[0], setting[1]);
        }
        String alias = words[1] + " " + configs.size();
        configs.add(Map.of("alias", alias, "config", settings));
        return alias;
    }
}
