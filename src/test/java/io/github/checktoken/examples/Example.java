package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The programs of {@code docs/examples} that consist of one file. */
enum Example {
    NODE(
            "node check.mjs",
            "data-provider/check.mjs",
            "node --version && test -d node_modules/@checktoken/client",
            "Node 20 or later, and the packages of src/test/node: run npm ci --ignore-scripts there"),
    NODE_OPENID_CLIENT(
            "node check-openid-client.mjs",
            "data-provider/check-openid-client.mjs",
            NODE.probe + " && test -d node_modules/openid-client",
            NODE.needs),
    JAVA(
            "java -cp '*' Check.java",
            "data-provider/Check.java",
            "java --version && mvn --version",
            "Java 17 or later and Maven: Debian's packages openjdk-17-jdk-headless and maven") {
        /** Gets the JARs as the program says. */
        @Override
        void prepare(Path folder) throws IOException {
            JavaClient.build();
            Files.copy(JavaClient.JAR, folder.resolve(JavaClient.JAR.getFileName()));
            ExampleRun.of(
                            "mvn -q -B -ntp dependency:copy -Dartifact=com.nimbusds:nimbus-jose-jwt:10.10 -DoutputDirectory=.",
                            folder)
                    .expectSuccess();
        }
    },
    PYTHON(
            "python3 check.py",
            "data-provider/check.py",
            "python3 -m pip --version",
            "Python 3.9 or later with pip: Debian's package python3-pip") {
        /** Installs the library into the folder, because Debian's Python lets pip change nothing else. */
        @Override
        void prepare(Path folder) throws IOException {
            Path library = Path.of("clients", "python").toAbsolutePath();
            ExampleRun.of("python3 -m pip install -q --target . " + library, folder)
                    .expectSuccess();
        }
    },
    PHP(
            "php check.php",
            "data-provider/check.php",
            "php -r 'require \"phpseclib3/autoload.php\"; openssl_get_cipher_methods(); curl_init(); gmp_init(1);'",
            "Debian's packages php-cli, php-curl, php-gmp and php-phpseclib3") {
        @Override
        void prepare(Path folder) throws IOException {
            Files.copy(Path.of("clients", "php", "CheckToken.php"), folder.resolve("CheckToken.php"));
        }
    },
    GO(
            "./check",
            "data-provider/check.go",
            "go version && test -d " + Example.GO_SOURCES + "/github.com/go-jose/go-jose",
            "Debian's packages golang-go and golang-github-go-jose-go-jose-dev, of Debian 13 or of bookworm-backports") {
        /** Builds with Debian's copy of the library, because no test may download from the proxy of Go. */
        @Override
        void prepare(Path folder) throws IOException {
            Files.copy(
                    Path.of("clients", "go", "checktoken.go"),
                    Files.createDirectory(folder.resolve("checktoken")).resolve("checktoken.go"));
            Files.writeString(folder.resolve("go.mod"), """
                    module check
                    go 1.21
                    require github.com/go-jose/go-jose/v4 v4.0.5
                    replace github.com/go-jose/go-jose/v4 => %1$s/github.com/go-jose/go-jose
                    replace golang.org/x/crypto => %1$s/golang.org/x/crypto
                    """.formatted(GO_SOURCES));
            ExampleRun.of("GOPROXY=off GOFLAGS=-mod=mod go build -o check check.go", folder)
                    .expectSuccess();
        }
    },
    BASH_JOSE(
            "bash check.sh",
            "data-provider/check.sh",
            "bash --version && curl --version && jq --version && jose alg",
            "Debian's packages curl, jq and jose"),
    NODE_LOGIN("node login.mjs", "service-provider/login.mjs", NODE_OPENID_CLIENT.probe, NODE_OPENID_CLIENT.needs),
    PYTHON_LOGIN(
            "python3 login.py",
            "service-provider/login.py",
            "python3 -c 'import authlib, flask, requests'",
            "Debian's packages python3-authlib, python3-flask and python3-requests");

    static final Path FOLDER = Path.of("docs", "examples");

    private static final String GO_SOURCES = "/usr/share/gocode/src";
    private static final Path NODE_MODULES = Path.of("src", "test", "node", "node_modules");

    private final String command;
    private final Path source;
    private final String probe;
    private final String needs;
    private Path folder;

    /**
     * @param command how the guides run it
     * @param source its file, below {@link #FOLDER}
     * @param probe fails if something is missing on this machine
     * @param needs what may be missing
     */
    Example(String command, String source, String probe, String needs) {
        this.command = command;
        this.source = Path.of(source);
        this.probe = probe;
        this.needs = needs;
    }

    /** Does once what the reader has to do after copying the file. */
    void prepare(Path folder) throws IOException {}

    boolean hasOurLibrary() {
        return Set.of(NODE, JAVA, PYTHON, PHP, GO).contains(this);
    }

    String command() {
        return command;
    }

    Path source() {
        return source;
    }

    /**
     * Runs the program in a folder of its own.
     *
     * @param environment variables for the program, in addition to those of this JVM
     */
    ExampleRun run(Map<String, String> environment, String input, String... arguments) {
        return ExampleRun.of(command, folder(), environment, input, List.of(arguments));
    }

    /** Starts a program that does not end by itself. */
    RunningExample start(Map<String, String> environment) {
        return new RunningExample(command, folder(), environment);
    }

    /** A folder with the program and what it needs. A program whose needs are not met fails its tests. */
    synchronized Path folder() {
        if (folder == null) {
            folder = newFolder();
        }
        return folder;
    }

    private Path newFolder() {
        try {
            Path created = ExampleFiles.newFolder("program-");
            Files.copy(FOLDER.resolve(source), created.resolve(source.getFileName()));
            Files.createSymbolicLink(created.resolve("node_modules"), NODE_MODULES.toAbsolutePath());
            ExampleRun probed = ExampleRun.of(probe, created);
            if (probed.status() != 0) {
                throw new AssertionError(source + " needs " + needs + ".\n" + probed.errors());
            }
            prepare(created);
            return created;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
