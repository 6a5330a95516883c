package io.github.checktoken.keycloak;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** The oldest Keycloak that is supported has every member of the list. Otherwise, parts would be off there. */
class OldestKeycloakTest {

    @Test
    void hasEveryMember() throws IOException, ReflectiveOperationException {
        try (OldestFirst loader = new OldestFirst()) {
            Class<?> compatibility = loader.loadClass(KeycloakCompatibility.class.getName());
            assertNotEquals(KeycloakCompatibility.class, compatibility);
            Class<?> part = loader.loadClass(Part.class.getName());
            Method problem = compatibility.getMethod("problem", part);

            for (Object each : part.getEnumConstants()) {
                assertEquals(Optional.empty(), problem.invoke(null, each), each.toString());
            }
        }
    }

    /** Loads the classes of the oldest Keycloak and, from the same loader, those that look at them. */
    private static final class OldestFirst extends URLClassLoader {

        OldestFirst() throws IOException {
            super(urls(), OldestKeycloakTest.class.getClassLoader());
        }

        private static URL[] urls() throws IOException {
            try (Stream<Path> jars = Files.list(Path.of("target/oldest-keycloak"))) {
                return Stream.concat(Stream.of(Path.of("target/classes")), jars)
                        .map(OldestFirst::url)
                        .toArray(URL[]::new);
            }
        }

        private static URL url(Path path) {
            try {
                return path.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && findResource(name.replace('.', '/') + ".class") != null) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }
}
