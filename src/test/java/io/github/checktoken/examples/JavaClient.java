package io.github.checktoken.examples;

import java.nio.file.Path;

/** The library for Java, which a reader builds in a checkout. */
final class JavaClient {

    static final Path JAR = Path.of("clients", "java", "target", "checktoken-client-1.0.0.jar");

    private static boolean built;

    private JavaClient() {}

    /** Puts it into the local repository too, where the project for Spring finds it. */
    static synchronized void build() {
        if (!built) {
            ExampleRun.of(
                            "mvn -q -B -ntp -f clients/java/pom.xml install -DskipTests",
                            Path.of("").toAbsolutePath())
                    .expectSuccess();
            built = true;
        }
    }
}
