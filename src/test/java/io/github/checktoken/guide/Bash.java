package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.checktoken.support.server.Executable;
import io.github.checktoken.support.server.KeycloakServer;

/** Runs commands of the guides as an administrator does who has the server's {@code kcadm.sh}. */
final class Bash {

    private static final int LIMIT_MINUTES = 30;

    private Bash() {}

    /** @param output what it printed, errors included */
    record Result(int status, String output) {}

    /**
     * Runs Bash with these arguments. {@code kcadm.sh} does not ask for the administrator's password, and keeps its
     * session in the folder.
     *
     * @param folder where the commands run
     * @param environment further variables
     */
    static Result run(Path folder, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of(find("bash")), Stream.of(arguments))
                        .toList())
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("KC_OPTS", System.getProperty("keycloak.java.options", "") + " -Duser.home=" + folder);
        builder.environment().put("KC_CLI_PASSWORD", KeycloakServer.ADMIN_PASSWORD);
        builder.environment().putAll(environment);

        // A file, because reading a pipe to its end would take for ever if a command hangs.
        Path output = Files.createTempFile("bash", ".out");
        Process process = builder.redirectOutput(output.toFile()).start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("Not finished in " + LIMIT_MINUTES + " minutes: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            List<ProcessHandle> descendants = process.descendants().toList();
            process.destroyForcibly();
            descendants.forEach(ProcessHandle::destroyForcibly);
            Files.delete(output);
        }
    }

    /** @return the folder with the server's {@code kcadm.sh} */
    static Path keycloakBin() {
        return Path.of(System.getProperty("keycloak.home"), "bin");
    }

    /** @return the path of a program, without which the test cannot run */
    static String find(String program) {
        return Executable.find(program)
                .map(Path::toString)
                .orElseGet(() -> Executable.isMissing("This test needs " + program + "."));
    }
}
