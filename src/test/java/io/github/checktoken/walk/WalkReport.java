package io.github.checktoken.walk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.checktoken.walk.oracle.Grant;
import io.github.checktoken.walk.oracle.OracleViolation;

/** The results of many walks, for {@code target/walk/report.md} and the console. */
final class WalkReport {

    private static final int CAUSES_SHOWN = 40;

    private final long seed;
    private final Discoveries discoveries;
    private final long start = System.nanoTime();
    private final Map<LoginAction, Integer> doors = new EnumMap<>(LoginAction.class);
    private final Map<Grant, Integer> checked = new EnumMap<>(Grant.class);
    private final Map<Grant, Integer> failed = new EnumMap<>(Grant.class);
    private final Map<String, Integer> less = new TreeMap<>();
    private final Map<String, WalkSeed> lessFirstSeen = new HashMap<>();
    private final Map<OracleViolation.Kind, Integer> kinds = new EnumMap<>(OracleViolation.Kind.class);
    private final List<String> wrongWalks = new ArrayList<>();
    private final Map<OracleViolation, List<WalkSeed>> wrongSeeds = new LinkedHashMap<>();
    private int walks;
    private int steps;
    private int issued;

    WalkReport(long seed, Discoveries discoveries) {
        this.seed = seed;
        this.discoveries = discoveries;
    }

    synchronized void add(Walker.Outcome outcome) {
        walks++;
        steps += outcome.steps().size();
        issued += outcome.walk().answers().issued();
        outcome.steps().forEach(step -> doors.merge(step.door(), 1, Integer::sum));
        outcome.walk().answers().check().sayingLess().forEach(cause -> {
            less.merge(cause, 1, Integer::sum);
            lessFirstSeen.putIfAbsent(cause, outcome.seed());
        });
        outcome.walk().grants().checked().forEach((grant, times) -> checked.merge(grant, times, Integer::sum));
        outcome.walk().grants().failed().forEach((grant, times) -> failed.merge(grant, times, Integer::sum));
        if (outcome.walk().wrong() != null) {
            kinds.merge(outcome.walk().wrong().kind(), 1, Integer::sum);
            wrongSeeds
                    .computeIfAbsent(outcome.walk().wrong(), wrong -> new ArrayList<>())
                    .add(outcome.seed());
        }
    }

    /** @param shrunk the walk with the fewest steps that is still wrong */
    synchronized void addWrong(Walker.Outcome shrunk) {
        String text = "### After " + walks + " walks, seed " + shrunk.seed() + ": "
                + shrunk.walk().wrong().kind() + ", " + shrunk.walk().wrong().description() + "\n\n```\n"
                + String.join("\n", shrunk.walk().lines()) + "\n```\n";
        wrongWalks.add(text);
        System.out.println(text);
    }

    synchronized int wrongAnswers() {
        return kinds.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized List<LoginAction> doorsUsedLessThan(int times) {
        return List.of(LoginAction.values()).stream()
                .filter(door -> doors.getOrDefault(door, 0) < times)
                .toList();
    }

    synchronized String text() {
        double seconds = (System.nanoTime() - start) / 1e9;
        StringBuilder text = new StringBuilder("# Random walks\n\n");
        text.append(String.format(
                "Seed %d: %d walks, %d steps, %d logins that ended with a code, %d situations, %.0f s, %.2f s a walk.%n%n",
                seed, walks, steps, issued, discoveries.size(), seconds, seconds / Math.max(1, walks)));
        text.append("Wrong answers: ")
                .append(wrongAnswers())
                .append(' ')
                .append(kinds)
                .append("\n\n");
        wrongSeeds.forEach((wrong, seeds) -> text.append("- ")
                .append(wrong.kind())
                .append(", ")
                .append(wrong.description())
                .append(": seeds ")
                .append(seeds)
                .append('\n'));
        text.append("\n| Login action | Used |\n|---|---|\n");
        for (LoginAction door : LoginAction.values()) {
            text.append("| ")
                    .append(door)
                    .append(" | ")
                    .append(doors.getOrDefault(door, 0))
                    .append(" |\n");
        }
        text.append("\n| Must succeed | Checked | Failed |\n|---|---|---|\n");
        for (Grant grant : Grant.values()) {
            text.append("| ")
                    .append(grant)
                    .append(" | ")
                    .append(checked.getOrDefault(grant, 0))
                    .append(" | ")
                    .append(failed.getOrDefault(grant, 0))
                    .append(" |\n");
        }
        text.append("\n## Answers that tell less than was proved\n\n| Times | Cause | A seed |\n|---|---|---|\n");
        less.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(CAUSES_SHOWN)
                .forEach(cause -> text.append("| ")
                        .append(cause.getValue())
                        .append(" | ")
                        .append(cause.getKey())
                        .append(" | ")
                        .append(lessFirstSeen.get(cause.getKey()))
                        .append(" |\n"));
        text.append("\n## Wrong walks, shrunk\n\n");
        wrongWalks.forEach(text::append);
        return text.toString();
    }

    void write(Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
