package io.github.checktoken.introspection.jose;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;

import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NativeProviderTest {

    @Test
    void conscryptBesideTheJarIsFound() {
        ClassLoader beside = OpenSSLProvider.class.getClassLoader();
        assertEquals("Conscrypt", NativeProvider.load(beside).orElseThrow().getName());
        assertNotSame(
                NativeProvider.load(beside).orElseThrow(),
                NativeProvider.load(beside).orElseThrow());
    }

    @Test
    void operatorsLearnTheVersion() {
        assertTrue(NativeProvider.describe(new OpenSSLProvider()).matches("Conscrypt 2\\.\\d+\\.\\d+"));
    }

    @Test
    void withoutTheFileThereIsNone() {
        assertTrue(NativeProvider.load(ClassLoader.getPlatformClassLoader()).isEmpty());
    }

    /** As on Alpine Linux or on another processor: the classes are there, and no library that loads. */
    @Test
    void withoutALibraryForThisSystemThereIsNone() throws Exception {
        URL jar = OpenSSLProvider.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader otherSystem = new WithoutLibraries(jar)) {
            assertTrue(NativeProvider.load(otherSystem).isEmpty());
        }
    }

    @Test
    void fileThatIsDamagedIsNotUsed() {
        ClassLoader damaged = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) {
                return defineClass(name, new byte[8], 0, 8);
            }
        };
        assertTrue(NativeProvider.load(damaged).isEmpty());
    }

    private static final class WithoutLibraries extends URLClassLoader {

        WithoutLibraries(URL jar) {
            super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
        }

        @Override
        public URL getResource(String name) {
            return name.startsWith("META-INF/native/") ? null : super.getResource(name);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/native/") ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }
}
