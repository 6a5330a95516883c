package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** docker-compose.yml repeats two versions of the build. A mount of a file that does not exist fails silently. */
class DockerComposeTest {

    @Test
    void mountsTheJarOfThisVersion() throws IOException {
        assertEquals(
                first("pom.xml", "<artifactId>keycloak-checktoken</artifactId>\\s*<version>([^<]+)</version>"),
                first("docker-compose.yml", "keycloak-checktoken-\\$\\{CHECKTOKEN_VERSION:-([^}]+)}\\.jar"));
    }

    @Test
    void runsTheKeycloakOfTheTests() throws IOException {
        assertEquals(
                first("pom.xml", "<keycloak.version>([^<]+)<"),
                first("docker-compose.yml", "image: quay.io/keycloak/keycloak:(\\S+)"));
    }

    private static String first(String file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(Path.of(file)));
        return matcher.find() ? matcher.group(1) : "nothing in " + file + " matches " + pattern;
    }
}
