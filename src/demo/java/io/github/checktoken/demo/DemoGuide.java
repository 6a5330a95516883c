package io.github.checktoken.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.checktoken.demo.pages.DemoPages;
import io.github.checktoken.demo.pages.DemoPeople;
import io.github.checktoken.demo.pages.web.Texts;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakServer;

/** Prints what you can try while the demo runs: the addresses, the people and clients, and a call to copy. */
final class DemoGuide {

    private final Federation federation;
    private final DemoRealm realm;
    private final DemoPages pages;
    private final Printout out;

    DemoGuide(Federation federation, DemoRealm realm, DemoPages pages, Printout out) {
        this.federation = federation;
        this.realm = realm;
        this.pages = pages;
        this.out = out;
    }

    void print() {
        out.title("Keycloak is ready. Every name, password, secret and key here is made up.");
        addresses();
        realm.people().forEach(this::people);
        serviceProviders();
        dataProviders();
    }

    void printCurl(String token) {
        DataProviderClient tax = federation.tax();
        out.title("Ask checktoken yourself, as " + tax.clientId() + ", about a new token. It expires after "
                + realm.tokenLifespan().toSeconds() + " s.");
        out.shell("curl -s " + tax.url() + " \\");
        out.shell("  -d client_id=" + tax.clientId() + " -d client_secret=" + tax.secret() + " \\");
        out.shell("  -d token=" + token + " \\");
        out.shell("  | curl -s --data-binary @- " + pages.answerService());
        out.gap();
        out.line("The last line opens the answer. Without it, you see the answer as it is sent: encrypted.");
        out.line("The private keys that open the answers are in src/test/resources/demo-keys.");
        out.line("Press Enter for a new token, Ctrl-C to stop.");
    }

    /** @param files the two providers' files, and the private key of the data provider */
    void printTry(List<Path> files) {
        out.title("One command for the whole journey, after (cd tools/federation && npm ci --ignore-scripts):");
        out.shell("PERSON=camille PERSON_PASSWORD=demo-password node tools/federation/src/main.js try \\");
        files.subList(0, files.size() - 1).forEach(file -> out.shell("  " + file + " \\"));
        out.shell("  " + files.get(files.size() - 1));
    }

    void printFirstAddress() {
        out.title("Open this address first: " + pages.url());
    }

    private void addresses() {
        String url = federation.url();
        String base = federation.server().baseUrl().toString();
        out.line("Admin Console    " + base + "/admin/master/console/#/" + Federation.REALM);
        out.line("                 user " + KeycloakServer.ADMIN + ", password " + KeycloakServer.ADMIN_PASSWORD);
        out.line("Data providers   " + url + "/data-providers");
        out.line("                 the map of the federation, and the hand-over sheets; user " + realm.administrator()
                + ", password demo-password");
        out.line("Account console  " + url + "/account");
        out.line("checktoken       " + url + "/api/v2/checktoken");
        out.line("Metadata         " + url + "/api/v2/.well-known/openid-configuration");
        out.line("Log              " + federation.server().log());
        out.gap();
        out.line("A whole sign-in link, of the bank. Open it, sign in, and see what comes back:");
        out.line(federation
                .bank()
                .request()
                .at("/api/v1/authorize")
                .with("redirect_uri", pages.bankCallback())
                .with("scope", Federation.ALL_SCOPES)
                .askingForAmr()
                .url());
    }

    private void people(DemoPeople group) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Person", "Password", "Born (date, place, country)", "Signs in with"));
        for (DemoPeople.Person person : group.people()) {
            rows.add(List.of(
                    person.username(),
                    person.password(),
                    person.born(),
                    Texts.in(Locale.ENGLISH).get("way." + person.way())));
        }
        if (!group.place().isEmpty()) {
            out.gap();
            out.line("With the button \"" + group.place() + "\" on the sign-in page:");
        }
        out.table(rows);
    }

    private void serviceProviders() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Service provider", "Secret", ""));
        for (DemoRealm.Client client : realm.serviceProviders()) {
            rows.add(List.of(client.clientId(), client.secret(), client.name()));
        }
        out.table(rows);
    }

    private void dataProviders() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Data provider", "Secret", "", "Registered scopes"));
        for (DemoRealm.Client client : realm.dataProviders()) {
            rows.add(List.of(client.clientId(), client.secret(), client.name(), String.join(" ", client.scopes())));
        }
        out.table(rows);
    }
}
