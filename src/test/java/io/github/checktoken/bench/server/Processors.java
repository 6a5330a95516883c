package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keeps Keycloak and its load on separate processors, with Linux' {@code taskset}. */
public final class Processors {

    private Processors() {}

    /** Puts this process, and all processes that it will start, on these processors. */
    public static void keepThisProcessOn(String cpus) throws IOException, InterruptedException {
        Process taskset = new ProcessBuilder(
                        "taskset",
                        "--all-tasks",
                        "--cpu-list",
                        "--pid",
                        cpus,
                        "" + ProcessHandle.current().pid())
                .redirectErrorStream(true)
                .start();
        String output = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (taskset.waitFor() != 0) {
            throw new IllegalStateException("There are no processors " + cpus + ": " + output);
        }
    }

    /** @return the command that runs a program on these processors */
    static List<String> on(String cpus, String... command) {
        List<String> whole = new ArrayList<>(List.of("taskset", "--cpu-list", cpus));
        whole.addAll(Arrays.asList(command));
        return whole;
    }
}
