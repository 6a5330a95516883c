package io.github.checktoken.support.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/** Makes of the JAR one that was built for another Keycloak, in which an internal class has another name. */
public final class OtherKeycloakJar {

    private static final Path JAR = Path.of(System.getProperty("checktoken.jar", ""));

    private OtherKeycloakJar() {}

    /**
     * @param type the simple name of Keycloak's class; the classes of the JAR and its list of members get a name of the
     *     same length, so that each class file remains one
     */
    public static Path without(String type) throws IOException {
        Path copy = Files.createTempDirectory("other-keycloak").resolve(JAR.getFileName());
        String renamed = type.substring(0, type.length() - 1) + "_";
        try (JarFile jar = new JarFile(JAR.toFile());
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(copy))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                out.putNextEntry(new JarEntry(entry.getName()));
                byte[] content = jar.getInputStream(entry).readAllBytes();
                out.write(
                        entry.getName().startsWith("io/github/checktoken/") ? rename(content, type, renamed) : content);
            }
        }
        return copy;
    }

    /** Latin-1 maps each byte to a character and back. */
    private static byte[] rename(byte[] content, String type, String renamed) {
        return new String(content, StandardCharsets.ISO_8859_1)
                .replaceAll("(?<=[/.])" + type + "(?![A-Za-z])", renamed)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
