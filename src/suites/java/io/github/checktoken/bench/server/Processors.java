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
        keep(ProcessHandle.current().pid(), cpus);
    }

    /** Puts all threads of a process on these processors. */
    static void keep(long pid, String cpus) throws IOException, InterruptedException {
        run("taskset", "--all-tasks", "--cpu-list", "--pid", cpus, "" + pid);
    }

    /** How many processors a list names. */
    static int count(String cpus) throws IOException, InterruptedException {
        return Integer.parseInt(run("taskset", "--cpu-list", cpus, "nproc").strip());
    }

    /** @return the command that runs a program on these processors */
    static List<String> on(String cpus, String... command) {
        List<String> whole = new ArrayList<>(List.of("taskset", "--cpu-list", cpus));
        whole.addAll(Arrays.asList(command));
        return whole;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + output);
        }
        return output;
    }
}
