package io.github.checktoken.login.gate;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

import org.keycloak.authentication.AuthenticatorFactory;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Somebody has judged for each authenticator of the tested version of Keycloak whether it can succeed although the user
 * has proved nothing. No server is started.
 */
class JudgedAuthenticatorsIT {

    private final Judgements judgements = new Judgements("judged-authenticators.txt");

    JudgedAuthenticatorsIT() throws IOException {}

    @Test
    void eachAuthenticatorOfKeycloakIsJudged() throws IOException {
        KeycloakJars keycloak = new KeycloakJars(text -> text.contains("getDisplayType"));
        List<String> ids = keycloak.factoriesOf(AuthenticatorFactory.class).stream()
                .map(name -> id(keycloak, name))
                .toList();
        assertTrue(ids.size() > 40, "found only " + ids);
        judgements.assertContain(
                ids,
                "Find in Keycloak's source each call of success(). If one of them comes without proof of who the user"
                        + " is, add the authenticator to AuthenticatorsWithoutProof.IDS.");
    }

    private static String id(KeycloakJars keycloak, String name) {
        ClassNode factory = keycloak.classes().get(name);
        return factory.methods.stream()
                .filter(method -> method.name.equals("getId") && method.desc.startsWith("()"))
                .flatMap(method -> Arrays.stream(method.instructions.toArray()))
                .filter(LdcInsnNode.class::isInstance)
                .map(instruction -> (String) ((LdcInsnNode) instruction).cst)
                .findFirst()
                .orElseGet(() -> id(keycloak, factory.superName));
    }
}
