package io.github.checktoken.bench.load;

import java.util.List;
import java.util.function.Supplier;

/**
 * Scenarios that are measured in turns and compared with one another.
 *
 * @param group what {@code bench.cases} names
 * @param size of what a growth group varies; 0 in the other groups
 * @param scenarios prepares them: what they need is created only when the step begins
 */
public record Step(String group, int size, Supplier<List<Scenario>> scenarios) {

    public String title() {
        return size == 0 ? group : group + " " + size;
    }
}
