package io.github.checktoken.support.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

import org.keycloak.services.resource.RealmResourceProviderFactory;
import org.keycloak.storage.UserStorageProviderFactory;

import io.github.checktoken.support.loginstate.LoginState;
import io.github.checktoken.support.loginstate.LoginStateProvider;
import io.github.checktoken.support.loginstate.LoginStateProviderFactory;
import io.github.checktoken.support.realmuse.RealmUseProvider;
import io.github.checktoken.support.realmuse.RealmUseProviderFactory;
import io.github.checktoken.support.userstore.UnreliableUser;
import io.github.checktoken.support.userstore.UnreliableUserStore;
import io.github.checktoken.support.userstore.UnreliableUserStoreFactory;

/** A provider for tests only, which the server of one suite has in a JAR of its own. */
enum ProviderJar {
    REALM_USE("", RealmResourceProviderFactory.class, List.of(RealmUseProviderFactory.class, RealmUseProvider.class)),
    /** Tells {@link LoginState}. */
    LOGIN_STATE(
            "walk",
            RealmResourceProviderFactory.class,
            List.of(LoginStateProviderFactory.class, LoginStateProvider.class)),
    USER_STORE(
            "stores",
            UserStorageProviderFactory.class,
            List.of(UnreliableUserStoreFactory.class, UnreliableUserStore.class, UnreliableUser.class));

    private final String suite;
    private final Class<?> service;
    private final List<Class<?>> classes;

    /**
     * @param suite empty for the tests that always run
     * @param classes the factory first
     */
    ProviderJar(String suite, Class<?> service, List<Class<?>> classes) {
        this.suite = suite;
        this.service = service;
        this.classes = classes;
    }

    /**
     * Installs the JARs of the suite that runs, unless a server may already use them. Removes the others, because an
     * earlier run may have left them there.
     */
    static void install(Path providers) throws IOException {
        for (ProviderJar each : values()) {
            Path jar = providers.resolve(each.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".jar");
            if (!each.suite.equals(System.getProperty("suite", ""))) {
                Files.deleteIfExists(jar);
            } else if (!Files.exists(jar) || !Arrays.equals(each.bytes(), Files.readAllBytes(jar))) {
                Files.write(jar, each.bytes());
            }
        }
    }

    private byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            for (Class<?> type : classes) {
                String name = type.getName().replace('.', '/') + ".class";
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    add(name, in.readAllBytes(), out);
                }
            }
            add(
                    "META-INF/services/" + service.getName(),
                    classes.get(0).getName().getBytes(StandardCharsets.UTF_8),
                    out);
            add("META-INF/beans.xml", "<beans/>".getBytes(StandardCharsets.UTF_8), out);
        }
        return bytes.toByteArray();
    }

    private static void add(String name, byte[] content, JarOutputStream out) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(content);
    }
}
