package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Other files repeat two versions of the POM: that of this project, and that of Keycloak. */
class VersionsTest {

    /** Docker mounts a file that does not exist as an empty folder, without a warning. */
    @Test
    void dockerComposeMountsTheJarOfThisVersion() throws IOException {
        assertEquals(
                version(), first("docker-compose.yml", "keycloak-checktoken-\\$\\{CHECKTOKEN_VERSION:-([^}]+)}\\.jar"));
    }

    @Test
    void dockerComposeRunsTheKeycloakOfTheTests() throws IOException {
        assertEquals(
                first("pom.xml", "<keycloak.version>([^<]+)<"),
                first("docker-compose.yml", "image: quay.io/keycloak/keycloak:(\\S+)"));
    }

    @Test
    void openApiDescribesThisVersion() throws IOException {
        assertEquals(version(), first("docs/openapi.yaml", "\n  version: (\\S+)"));
    }

    /** Between releases, the changelog begins with what the next release will bring. */
    @Test
    void changelogBeginsWithThisVersion() throws IOException {
        assertEquals(
                version().endsWith("-SNAPSHOT") ? "Unreleased" : version(),
                first("CHANGELOG.md", "\n## \\[([^]]+)](?: - \\d{4}-\\d\\d-\\d\\d)?\n"));
    }

    private static String version() throws IOException {
        return first("pom.xml", "<artifactId>keycloak-checktoken</artifactId>\\s*<version>([^<]+)</version>");
    }

    private static String first(String file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(Path.of(file)));
        return matcher.find() ? matcher.group(1) : "nothing in " + file + " matches " + pattern;
    }
}
