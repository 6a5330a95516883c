package io.github.checktoken.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.checktoken.demo.pages.DemoPages;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;

/** The files that a provider's programs read, as {@code docs/own-realm.sh} writes them, for two providers of the demo. */
record ProviderFiles(Federation federation) {

    private static final Path FOLDER = Path.of("target", "demo");
    private static final Path KEY = Path.of("src/test/resources/demo-keys/dp-tax-demo-private-key.jwk.json");

    /** @return the files of the service provider and of the data provider, and the private key */
    List<Path> write() throws IOException {
        ServiceProvider town = federation.town();
        DataProviderClient tax = federation.tax();
        Files.createDirectories(FOLDER);
        return List.of(
                Files.writeString(
                        FOLDER.resolve("sp-town.env"),
                        variables(town.clientId(), town.secret())
                                + variable(
                                        "REDIRECT_URI",
                                        "http://localhost:%d/sp-town/callback".formatted(DemoPages.USUAL_PORT))
                                + variable("SCOPE", Federation.ALL_SCOPES)),
                Files.writeString(FOLDER.resolve("dp-tax.env"), variables(tax.clientId(), tax.secret())),
                KEY);
    }

    private String variables(String clientId, String secret) {
        return variable("REALM", federation.url())
                + variable("CLIENT_ID", clientId)
                + variable("CLIENT_SECRET", secret);
    }

    private static String variable(String name, String value) {
        return "export %s='%s'\n".formatted(name, value);
    }
}
