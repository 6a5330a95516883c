package io.github.checktoken.support.loginstate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

import org.keycloak.services.resource.RealmResourceProviderFactory;

/** The JAR with which a server tells {@link LoginState}. It is for tests only. */
public final class LoginStateJar {

    private static final List<Class<?>> CLASSES = List.of(LoginStateProvider.class, LoginStateProviderFactory.class);

    private LoginStateJar() {}

    public static void write(Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : CLASSES) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
            }
            write(
                    "META-INF/services/" + RealmResourceProviderFactory.class.getName(),
                    LoginStateProviderFactory.class.getName(),
                    out);
            write("META-INF/beans.xml", "<beans/>", out);
        }
    }

    private static void write(String name, String text, JarOutputStream out) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
