package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Everything that a walk is drawn from. A walk may begin like others and then go its own way: {@code 17:12+93:18} takes
 * the first 12 steps of walk 17, and then 18 steps that are drawn from the seed 93. The people are those of the first
 * seed.
 */
record WalkSeed(List<Part> parts) {

    /** @param steps how many steps are drawn from this seed */
    record Part(long seed, int steps) {}

    static WalkSeed of(long seed, int steps) {
        return new WalkSeed(List.of(new Part(seed, steps)));
    }

    /** @param steps of a last part for which the text gives no number */
    static WalkSeed parse(String text, int steps) {
        return new WalkSeed(Arrays.stream(text.split("\\+"))
                .map(part -> part.split(":"))
                .map(part -> new Part(Long.parseLong(part[0]), part.length == 1 ? steps : Integer.parseInt(part[1])))
                .toList());
    }

    /** @return the seed of the people */
    long first() {
        return parts.get(0).seed();
    }

    int steps() {
        return parts.stream().mapToInt(Part::steps).sum();
    }

    /** @return the beginning of this walk */
    WalkSeed until(int steps) {
        List<Part> beginning = new ArrayList<>();
        int left = steps;
        for (Part part : parts) {
            int taken = Math.min(left, part.steps());
            if (taken > 0) {
                beginning.add(new Part(part.seed(), taken));
            }
            left -= taken;
        }
        return new WalkSeed(beginning);
    }

    WalkSeed then(long seed, int steps) {
        List<Part> longer = new ArrayList<>(parts);
        longer.add(new Part(seed, steps));
        return new WalkSeed(longer);
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.seed() + ":" + part.steps()).collect(Collectors.joining("+"));
    }
}
