package io.github.checktoken.keycloak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The list that the JAR checks at start must have every member of Keycloak's internal classes that the JAR's bytecode
 * uses, and the architecture page must name each of these classes.
 */
class KeycloakMembersTest {

    private static final Path CLASSES = Path.of("target/classes/io/github/checktoken");

    /** Keycloak's modules that promise extensions no compatibility. */
    private static final List<String> INTERNAL = List.of(
            "keycloak-services-",
            "keycloak-server-spi-private-",
            "keycloak-model-storage-private-",
            "keycloak-model-jpa-",
            "keycloak-model-infinispan-");

    private final SortedSet<String> used = new TreeSet<>();

    @Test
    void listIsComplete() throws IOException {
        try (Stream<Path> classes = Files.walk(CLASSES)) {
            for (Path file :
                    classes.filter(path -> path.toString().endsWith(".class")).toList()) {
                new ClassReader(Files.readAllBytes(file)).accept(new Members(), ClassReader.SKIP_DEBUG);
            }
        }
        List<String> listed = KeycloakCompatibility.members().stream()
                .map(member -> line(member.owner(), member.name(), member.descriptor()))
                .toList();
        assertEquals(
                String.join("\n", used),
                String.join("\n", listed),
                "Correct src/main/resources/io/github/checktoken/keycloak/" + KeycloakCompatibility.MEMBERS);
    }

    @Test
    void eachClassIsOnTheArchitecturePage() throws IOException {
        String page = Files.readString(Path.of("docs/architecture.md"));
        List<String> missing = KeycloakCompatibility.members().stream()
                .map(member -> member.owner().replaceAll(".*\\.|\\$.*", ""))
                .distinct()
                .filter(type -> !page.contains("`" + type + "`"))
                .toList();
        assertEquals(List.of(), missing);
    }

    private void use(String owner, String name, String descriptor) {
        String type = owner.replace('/', '.');
        if (type.startsWith("org.keycloak.") && isInternal(type)) {
            used.add(line(type, name, descriptor));
        }
    }

    private static String line(String owner, String name, String descriptor) {
        return String.join(" ", owner, name, descriptor);
    }

    private static boolean isInternal(String type) {
        try {
            CodeSource source = Class.forName(type, false, KeycloakMembersTest.class.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource();
            return INTERNAL.stream()
                    .anyMatch(module -> source.getLocation().getPath().contains(module));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Members extends ClassVisitor {

        private Members() {
            super(Opcodes.ASM9);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {

                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
                    use(owner, called, calledDescriptor);
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String field, String fieldDescriptor) {
                    use(owner, field, fieldDescriptor);
                }

                @Override
                public void visitInvokeDynamicInsn(
                        String called, String calledDescriptor, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            use(handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }
            };
        }
    }
}
