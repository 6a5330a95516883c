package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Looks at the table that the commands of {@code docs/kcadm.md} print of the administrators' view. */
@ExtendWith(KeycloakExtension.class)
@Tag("guides")
class DataProvidersTableIT {

    /** Logs in for each command instead of once. */
    private static final String LOGGED_IN = """
            kcadm.sh() {
              "$BIN/kcadm.sh" "$@" --no-config --server "$SERVER" --realm master --user "$ADMIN"
            }
            """;

    private final Federation federation;

    DataProvidersTableIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void eachDataProviderHasOneLine(@TempDir Path folder) throws IOException, InterruptedException {
        DataProviderClient broken = federation
                .newDataProvider()
                .signedWith("ES512")
                .defaultScopes("email")
                .create();

        List<List<String>> table = table(folder);

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
                row(table, "CLIENT"));
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

    private List<List<String>> table(Path folder) throws IOException, InterruptedException {
        Bash.find("awk");
        Bash.find("column");
        String commands = MarkdownBlocks.of(Path.of("docs/kcadm.md")).stream()
                .map(MarkdownBlocks.Block::text)
                .filter(text -> text.contains("data_providers()"))
                .findFirst()
                .orElseThrow();
        Map<String, String> environment = Map.of(
                "BIN", Bash.keycloakBin().toString(),
                "SERVER", federation.server().baseUrl().toString(),
                "ADMIN", KeycloakServer.ADMIN,
                "REALM", federation.realm(),
                "LC_ALL", "C.UTF-8");
        Result result = Bash.run(folder, environment, "-euo", "pipefail", "-c", LOGGED_IN + commands);
        assertEquals(0, result.status(), result.output());
        return result.output()
                .lines()
                .map(line -> List.of(line.strip().split(" {2,}", 8)))
                .toList();
    }

    private static List<String> row(List<List<String>> table, String client) {
        return table.stream()
                .filter(row -> row.get(0).equals(client))
                .findFirst()
                .orElseThrow(() -> new AssertionError(client + " is not in " + table));
    }
}
