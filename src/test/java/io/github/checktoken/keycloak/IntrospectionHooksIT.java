package io.github.checktoken.keycloak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * {@code KeycloakTokenCheck} relies on the order in which Keycloak's check of a token calls the methods that it
 * overrides: first the one for the token, then the one for the client, then all others.
 */
@ExtendWith(KeycloakExtension.class)
class IntrospectionHooksIT {

    private static final String TYPE = "org/keycloak/protocol/oidc/AccessTokenIntrospectionProvider";

    private final Federation federation;

    IntrospectionHooksIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeEach
    void requireInstallation() {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's modules");
    }

    @Test
    void tokenIsCheckedFirstAndThenTheClient() throws IOException {
        List<String> hooks = callsOf("introspectionChecks").stream()
                .filter(call -> call.startsWith("verify") || call.equals("transformAccessToken"))
                .toList();
        assertEquals(List.of("verifyToken", "verifyClient"), hooks.subList(0, 2));
        assertTrue(hooks.contains("verifyUserSession"), hooks::toString);
    }

    @Test
    void eachHookIsCalledIfKeycloakHasIt() throws IOException {
        List<String> declared = methods();
        List<String> called = callsOf("introspectionChecks");
        for (String hook : List.of("verifyToken", "verifyClient", "verifyAudience")) {
            assertEquals(declared.contains(hook), called.contains(hook), hook);
        }
        assertTrue(declared.contains("transformAccessToken"));
    }

    private List<String> methods() throws IOException {
        List<String> names = new ArrayList<>();
        read(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] exceptions) {
                names.add(name);
                return null;
            }
        });
        return names;
    }

    /** @return the methods of the same class that the method calls, in the order of the code */
    private List<String> callsOf(String method) throws IOException {
        List<String> calls = new ArrayList<>();
        read(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] exceptions) {
                return !name.equals(method)
                        ? null
                        : new MethodVisitor(Opcodes.ASM9) {
                            @Override
                            public void visitMethodInsn(
                                    int opcode, String owner, String called, String calledDescriptor, boolean itf) {
                                if (owner.equals(TYPE)) {
                                    calls.add(called);
                                }
                            }
                        };
            }
        });
        return calls;
    }

    private void read(ClassVisitor visitor) throws IOException {
        DistributionServer server = (DistributionServer) federation.server();
        new ClassReader(server.moduleFile("keycloak-services", TYPE + ".class")).accept(visitor, 0);
    }
}
