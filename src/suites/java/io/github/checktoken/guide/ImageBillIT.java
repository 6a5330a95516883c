package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs {@code tools/image-bill-of-materials} as {@code RELEASING.md} says. */
@Tag("guides")
class ImageBillIT {

    @Test
    void billNamesWhatTheImageAddsToKeycloak(@TempDir Path folder) throws IOException, InterruptedException {
        Bash.find("jq");
        Path billOfTheJar = Files.writeString(
                folder.resolve("bill.json"), "{\"components\":[{\"name\":\"in-the-jar\",\"version\":\"1\"}]}");
        Bash.Result result = Bash.run(
                Path.of("").toAbsolutePath(), Map.of(), "tools/image-bill-of-materials", billOfTheJar.toString());
        assertEquals(0, result.status(), result.output());

        Map<String, String> versions = new TreeMap<>();
        for (JsonNode component : Http.json(result.output()).get("components")) {
            versions.put(
                    component.get("name").asText(), component.get("version").asText());
        }
        String dockerfile = Files.readString(Path.of("Dockerfile"));
        assertEquals(
                Map.of(
                        "boringssl", boringSsl(),
                        "conscrypt-openjdk-uber", argument(dockerfile, "CONSCRYPT_VERSION"),
                        "in-the-jar", "1",
                        "keycloak-checktoken", argument(dockerfile, "CHECKTOKEN_VERSION"),
                        "quay.io/keycloak/keycloak", argument(dockerfile, "KEYCLOAK_VERSION")),
                versions);
    }

    private static String argument(String dockerfile, String name) {
        return dockerfile.replaceAll("(?s).*\nARG " + name + "=(\\S*).*", "$1");
    }

    private static String boringSsl() throws IOException {
        try (JarFile jar = new JarFile(System.getProperty("conscrypt.jar"))) {
            return jar.getManifest().getMainAttributes().getValue("BoringSSL-Version");
        }
    }
}
