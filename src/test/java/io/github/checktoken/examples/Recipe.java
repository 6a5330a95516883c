package io.github.checktoken.examples;

import java.nio.file.Path;
import java.util.Map;

import io.github.checktoken.support.server.Executable;

/** The recipes of {@code docs/examples/service-providers}: for each library a program, or a configuration file. */
enum Recipe {
    MOD_AUTH_OPENIDC(
            "mod_auth_openidc",
            Tool.APACHE,
            "",
            "/usr/sbin/apache2 -D FOREGROUND -f "
                    + Path.of("src/test/resources/recipe-apache.conf").toAbsolutePath(),
            "(resuming normal operations)"),
    PASSPORT("passport-openidconnect", Tool.NODE, Recipe.INSTALL, "node app.mjs", Recipe.OPEN),
    EXPRESS("express-openid-connect", Tool.NODE, Recipe.INSTALL, "node app.mjs", Recipe.OPEN),
    PAC4J("pac4j", Tool.MAVEN, "mvn -q -B -ntp compile", "mvn -B -ntp exec:java", Recipe.OPEN),
    GO_OIDC("go-oidc", Tool.GO, "", "env GO111MODULE=off GOPATH=" + Recipe.GO_SOURCES + " go run main.go", Recipe.OPEN),
    SPRING("spring-security", Tool.MAVEN, ExampleRun.SPRING_BUILD, "java -jar target/app.jar", "(Started App)"),
    AUTHLIB("authlib", Tool.PYTHON, "", "python3 app.py", "(Running on http://localhost)");

    static final Path FOLDER = Example.FOLDER.resolve("service-providers");

    private static final String INSTALL =
            "npm install --no-package-lock --prefer-offline --ignore-scripts --no-audit --no-fund";
    private static final String OPEN = "(Open http://localhost)";

    /** Debian's copies of the libraries, because no test may download from the proxy of Go. */
    private static final String GO_SOURCES = "/usr/share/gocode";

    private enum Tool {
        APACHE(
                "test -x /usr/sbin/apache2 && test -f /usr/lib/apache2/modules/mod_auth_openidc.so",
                "Debian's packages apache2-bin and libapache2-mod-auth-openidc"),
        NODE("node --version && npm --version", "Node 20 or later with npm"),
        PYTHON(
                "python3 -c 'import authlib, flask, requests'",
                "Debian's packages python3-authlib, python3-flask and python3-requests"),
        GO(
                "go version && cd " + GO_SOURCES
                        + "/src && ls github.com/coreos/go-oidc/v3 golang.org/x/oauth2/pkce.go",
                "Debian's packages golang-go, golang-github-coreos-go-oidc-v3-dev and golang-golang-x-oauth2-dev,"
                        + " of Debian 13 or of bookworm-backports"),
        MAVEN("mvn --version", "Maven 3.8 or later");

        private final String probe;
        private final String needs;

        /**
         * @param probe fails if something is missing on this machine
         * @param needs what may be missing
         */
        Tool(String probe, String needs) {
            this.probe = probe;
            this.needs = needs;
        }
    }

    private final String folder;
    private final Tool tool;
    private final String build;
    private final String run;
    private final String started;
    private boolean built;

    /**
     * @param build what the reader has to do once
     * @param started what it prints when it serves, as a group
     */
    Recipe(String folder, Tool tool, String build, String run, String started) {
        this.folder = folder;
        this.tool = tool;
        this.build = build;
        this.run = run;
        this.started = started;
    }

    /** @return its path below {@code docs/examples} */
    String path() {
        return Example.FOLDER.relativize(FOLDER.resolve(folder)).toString();
    }

    /** What it prints when it serves. */
    String started() {
        return started;
    }

    /** A recipe that cannot be run on this machine ends its test. */
    RunningExample start(Map<String, String> environment) {
        build();
        return new RunningExample(run, FOLDER.resolve(folder), environment);
    }

    private synchronized void build() {
        if (!built) {
            Path path = FOLDER.resolve(folder);
            if (ExampleRun.of(tool.probe, path).status() != 0) {
                Executable.isMissing(folder + " needs " + tool.needs + ".");
            }
            if (!build.isEmpty()) {
                ExampleRun.of(build, path).expectSuccess();
            }
            built = true;
        }
    }
}
