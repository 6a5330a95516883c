package io.github.checktoken.keycloak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
 * uses.
 */
class KeycloakMembersTest {

    private static final Path CLASSES = Path.of("target/classes/io/github/checktoken");
    private static final Path LIST =
            Path.of("src/main/resources/io/github/checktoken/keycloak", KeycloakCompatibility.MEMBERS);

    /** Keycloak's modules that promise extensions no compatibility. */
    private static final List<String> INTERNAL = List.of(
            "keycloak-services-",
            "keycloak-server-spi-private-",
            "keycloak-model-storage-private-",
            "keycloak-model-jpa-",
            "keycloak-model-infinispan-");

    /** By member, the parts whose classes use it. */
    private final SortedMap<String, Set<Part>> used = new TreeMap<>();

    @Test
    void listIsComplete() throws IOException {
        try (Stream<Path> classes = Files.walk(CLASSES)) {
            for (Path file :
                    classes.filter(path -> path.toString().endsWith(".class")).toList()) {
                Part part = part(CLASSES.relativize(file));
                new ClassReader(Files.readAllBytes(file)).accept(new Members(part), ClassReader.SKIP_DEBUG);
            }
        }
        assertEquals(
                used.entrySet().stream()
                        .map(member -> parts(member.getValue()) + " " + member.getKey())
                        .collect(Collectors.joining("\n")),
                Files.readAllLines(LIST).stream()
                        .filter(line -> !line.contains("|"))
                        .collect(Collectors.joining("\n")),
                "Correct " + LIST + ". A line with | is of a member that is found by reflection");
    }

    private static Part part(Path file) {
        return file.startsWith("login")
                ? Part.LOGIN
                : file.startsWith("introspection/admin")
                        ? Part.ADMIN
                        : file.startsWith("introspection") ? Part.INTROSPECTION : Part.SHARED;
    }

    /** Leaves out parts that build on another one of them. */
    private static String parts(Set<Part> parts) {
        return parts.stream()
                .filter(part -> parts.stream().noneMatch(other -> other != part && part.needs(other)))
                .map(part -> part.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }

    private void use(Part part, String owner, String name, String descriptor) {
        String type = owner.replace('/', '.');
        if (type.startsWith("org.keycloak.") && isInternal(type)) {
            used.computeIfAbsent(String.join(" ", type, name, descriptor), key -> EnumSet.noneOf(Part.class))
                    .add(part);
        }
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

        private final Part part;

        private Members(Part part) {
            super(Opcodes.ASM9);
            this.part = part;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {

                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
                    use(part, owner, called, calledDescriptor);
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String field, String fieldDescriptor) {
                    use(part, owner, field, fieldDescriptor);
                }

                @Override
                public void visitInvokeDynamicInsn(
                        String called, String calledDescriptor, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            use(part, handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }
            };
        }
    }
}
