package io.github.checktoken.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Executable;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs the lines of {@code docs/kcadm.md} that print the administrators' view as a table. */
@ExtendWith(KeycloakExtension.class)
class DataProvidersTableIT {

    private static final Pattern COMMANDS = Pattern.compile("```sh\n([^`]*data_providers[^`]*)```");

    private final Federation federation;

    DataProvidersTableIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void guidesCommandPrintsOneLineForEachDataProvider() throws IOException, InterruptedException {
        DataProviderClient broken = federation
                .newDataProvider()
                .signedWith("ES512")
                .defaultScopes("email")
                .create();

        List<List<String>> table = run(commands())
                .lines()
                .map(line -> List.of(line.strip().split(" {2,}", 8)))
                .toList();

        assertEquals(
                List.of(
                        "CLIENT",
                        "ENABLED",
                        "SIGNATURE",
                        "KEY ENCRYPTION",
                        "CONTENT ENCRYPTION",
                        "JWKS",
                        "USABLE KEY",
                        "PROBLEMS"),
                table.get(0));
        assertEquals(
                List.of("dp-tax", "true", "ES256", "RSA-OAEP-256", "A256GCM", "JWKS", "true"), row(table, "dp-tax"));
        assertEquals(
                List.of(
                        broken.clientId(),
                        "true",
                        "ES512",
                        "RSA-OAEP-256",
                        "A256GCM",
                        "JWKS",
                        "true",
                        "The realm has no active key for ES512: calls get 500. Add one under Realm settings > Keys, or"
                                + " choose another signature. The default client scope “email” gives this data provider"
                                + " more than identity data: email, email_verified. Remove it from the client, or"
                                + " remove the mappers of these claims from it. If the data provider shall learn one of"
                                + " them, add its mapper to the client’s dedicated scope."),
                row(table, broken.clientId()));
    }

    private static List<String> row(List<List<String>> table, String clientId) {
        return table.stream()
                .filter(row -> row.get(0).equals(clientId))
                .findFirst()
                .orElseThrow(() -> new AssertionError(clientId + " is not in " + table));
    }

    private static String commands() throws IOException {
        return COMMANDS.matcher(Files.readString(Path.of("docs/kcadm.md")))
                .results()
                .map(MatchResult::group)
                .map(block -> block.replaceAll("```(sh\n)?", ""))
                .findFirst()
                .orElseThrow();
    }

    /** Logs in for each call, instead of once, because that keeps no session on this machine. */
    private String run(String commands) throws IOException, InterruptedException {
        String bash = Executable.find("bash")
                .or(() -> Executable.isMissing("bash is not installed"))
                .orElseThrow()
                .toString();
        Executable.find("column").or(() -> Executable.isMissing("column is not installed"));
        ProcessBuilder builder = new ProcessBuilder(bash, "-c", """
                set -eu -o pipefail
                kcadm.sh() {
                  bash "$KEYCLOAK/bin/kcadm.sh" "$@" --no-config --server "$SERVER" --realm master \\
                    --user "$ADMIN" --password "$PASSWORD"
                }
                """ + commands);
        builder.environment().put("KEYCLOAK", System.getProperty("keycloak.home"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SERVER", federation.server().baseUrl().toString());
        builder.environment().put("ADMIN", KeycloakServer.ADMIN);
        builder.environment().put("PASSWORD", KeycloakServer.ADMIN_PASSWORD);
        builder.environment().put("REALM", federation.realm());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }
}
