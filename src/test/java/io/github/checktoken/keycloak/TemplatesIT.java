package io.github.checktoken.keycloak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Our pages rely on macros of Keycloak's templates. The demo realm's look relies on ids and classes of its pages. */
@ExtendWith(KeycloakExtension.class)
class TemplatesIT {

    private static final Path OURS = Path.of("src/main/resources/theme-resources/templates");
    private static final Pattern IMPORT = Pattern.compile("<#import \"([\\w-]+\\.ftl)\" as (\\w+)>");

    private final Federation federation;

    TemplatesIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeEach
    void requireInstallation() {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's modules");
    }

    @Test
    void everyMacroThatOurTemplatesUseExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int used = 0;
        try (DirectoryStream<Path> templates = Files.newDirectoryStream(OURS, "*.ftl")) {
            for (Path template : templates) {
                String text = Files.readString(template);
                for (MatchResult imported : all(IMPORT, text)) {
                    if (Files.exists(OURS.resolve(imported.group(1)))) {
                        continue;
                    }
                    String keycloaks = keycloaks(imported.group(1));
                    for (MatchResult call : all(Pattern.compile("<@" + imported.group(2) + "\\.(\\w+)"), text)) {
                        used++;
                        if (!keycloaks.contains("<#macro " + call.group(1))) {
                            missing.add(template.getFileName() + ": " + call.group(1));
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(used > 10, "only " + used + " uses of a macro were found");
    }

    @ParameterizedTest
    @CsvSource({
        "template.ftl, kc-header-wrapper",
        "template.ftl, kc-page-title",
        "template.ftl, kc-attempted-username",
        "template.ftl, kc-info",
        "login.ftl, kc-form",
        "social-providers.ftl, kc-social-providers",
        "error.ftl, kc-error-message",
        "info.ftl, kc-info-message",
        "logout-confirm.ftl, kc-logout-confirm",
        "login-oauth-grant.ftl, kc-oauth",
        "login-config-totp.ftl, totp",
        "login-config-totp.ftl, userLabel",
    })
    void idThatTheLookUsesExists(String template, String name) throws IOException {
        assertTrue(keycloaks(template).contains(name));
    }

    /** @return the template of the theme keycloak.v2, or of the theme that it builds on */
    private String keycloaks(String template) throws IOException {
        DistributionServer server = (DistributionServer) federation.server();
        for (String theme : List.of("keycloak.v2", "base")) {
            try {
                return new String(
                        server.moduleFile("keycloak-themes", "theme/" + theme + "/login/" + template),
                        StandardCharsets.UTF_8);
            } catch (NoSuchFileException e) {
                // The template may be in the other theme.
            }
        }
        throw new NoSuchFileException(template);
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}
