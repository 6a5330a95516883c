package io.github.checktoken.support.flow;

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
import java.util.UUID;

/**
 * Authentication flows in the format of a realm's JSON, read from a text file such as {@code walk-flows.txt}. The alias
 * of a sub-flow is the alias of its parent, followed by its own name.
 */
public final class FlowText {

    private final Map<String, List<Map<String, Object>>> executions = new LinkedHashMap<>();
    private final List<String> topLevel = new ArrayList<>();
    private final Map<String, Map<String, String>> configs = new LinkedHashMap<>();

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

    /** @param file a file in the tests' resources */
    public static FlowText load(String file) {
        try (InputStream stream = FlowText.class.getResourceAsStream(file)) {
            return new FlowText(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the flows, each with a new id, by which the same JSON can refer to it */
    public List<Map<String, Object>> flows() {
        List<Map<String, Object>> flows = new ArrayList<>();
        executions.forEach((alias, steps) -> flows.add(Map.of(
                "id",
                UUID.randomUUID().toString(),
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

    /** @return the settings of the executions, to which the flows refer by their alias */
    public List<Map<String, Object>> configs() {
        return configs.entrySet().stream()
                .map(config -> Map.<String, Object>of("alias", config.getKey(), "config", config.getValue()))
                .toList();
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
        // Keycloak would not save an alias with the character = again.
        String alias = String.join(" ", words).substring(words[0].length() + 1).replace('=', ' ');
        configs.put(alias, settings);
        return alias;
    }
}
