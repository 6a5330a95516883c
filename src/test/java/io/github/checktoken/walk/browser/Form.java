package io.github.checktoken.walk.browser;

import java.util.List;
import java.util.Map;

/**
 * A form of a page.
 *
 * @param action the absolute address
 * @param fields the inputs except buttons and check boxes, with their values on the page
 * @param buttons name and value of each button that has a name
 */
public record Form(String action, Map<String, String> fields, List<Map.Entry<String, String>> buttons) {

    public boolean has(String field) {
        return fields.containsKey(field);
    }

    public boolean hasButton(String name) {
        return buttons.stream().anyMatch(button -> button.getKey().equals(name));
    }
}
