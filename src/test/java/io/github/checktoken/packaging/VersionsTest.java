package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Other files repeat two versions of the POM: that of this project, and that of Keycloak. */
class VersionsTest {

    @Test
    void imageHasTheJarOfThisVersion() throws IOException {
        assertEquals(version(), first("Dockerfile", "\nARG CHECKTOKEN_VERSION=(\\S+)"));
    }

    @Test
    void imagesHaveTheNewestSupportedKeycloak() throws IOException {
        String version = first("README.md", "\n\\| Keycloak \\|[^\n]*\n[^\n]*\n\\| ([\\d.]+) \\|");
        assertEquals(version, first("Dockerfile", "\nARG KEYCLOAK_VERSION=(\\S+)"));
        assertEquals(version, first("docker-compose.yml", "image: quay.io/keycloak/keycloak:(\\S+)"));
    }

    /** Operators and the image get the file with which the tests run. */
    @Test
    void conscryptIsTheOneOfTheTests() throws Exception {
        String version = first("pom.xml", "<conscrypt.version>([^<]+)<");
        assertEquals(version, first("Dockerfile", "\nARG CONSCRYPT_VERSION=(\\S+)"));
        for (String file : List.of("docs/operations.md", "RELEASING.md")) {
            assertEquals(version, first(file, "org.conscrypt:conscrypt-openjdk-uber:([\\d.]+)`"));
            assertEquals(version, first(file, "conscrypt-openjdk-uber-([\\d.]+)\\.jar"));
        }
        Path jar = Path.of(OpenSSLProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertEquals(
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar))),
                first("docs/operations.md", "sha256sum conscrypt-\\S+ is\\s+`([0-9a-f]+)`"));
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
