package io.github.checktoken.chaos;

import java.net.http.HttpResponse;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.nimbusds.jose.jwk.JWKSet;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.MailServer;

import static io.github.checktoken.support.realm.PinRealm.PIN;

/** The demo realm with further people: of a directory, and with a code by e-mail, and with a PIN. */
final class ChaosRealm {

    static final List<String> OF_THE_DIRECTORY = List.of("lou", "noa", "sacha", "alix", "charlie", "dominique");

    /** Enough that nobody gets more codes in an hour than the realm allows. */
    private static final int WITH_CODE = 200;

    private static final int WITH_PIN = 20;

    private static final String MOST_CODES_PER_HOUR = "30";

    private final Federation federation;
    private final List<Provider> dataProviders;
    private final Provider guessed;
    private final JWKSet keys;
    private final List<Person> people = new ArrayList<>();

    ChaosRealm(DistributionServer server, DirectoryServer directory, MailServer mail) throws ParseException {
        federation = new Federation(server);
        federation.letPeopleSignInAgainAtOnce();
        dataProviders = List.of(
                new Provider(federation.tax(), Set.of("tax_household", "tax_income"), null),
                new Provider(federation.health(), Set.of("health_rights"), null),
                new Provider(federation.newDataProvider().create(), Set.of(), null));
        guessed = new Provider(federation.newDataProvider().create(), Set.of(), null);
        keys = JWKSet.parse(Http.json(Http.send(Http.request(federation.url() + "/protocol/openid-connect/certs")))
                .toString());
        AdminApi admin = federation.admin();
        admin.update("", realm -> realm.set("smtpServer", Http.JSON.valueToTree(mail.settings())));
        // The judge asks Keycloak's own endpoint about tokens of the service provider, which are lightweight ones.
        admin.update(
                admin.client("sp-town"),
                client -> client.withObject("/attributes").put("allow.userinfo.with.lightweight.access.token", "true"));
        admin.create(
                "/components",
                Map.of(
                        "name", "directory",
                        "providerId", "ldap",
                        "providerType", "org.keycloak.storage.UserStorageProvider",
                        "config", directory.settings(Map.of())));
        Set<Neighbour> none = EnumSet.noneOf(Neighbour.class);
        people.add(new Person("camille", null, null, none, "Moreau Camille Louise Marie"));
        people.add(new Person("ange", null, null, none, "Casanova Ange"));
        people.add(new Person("awa", null, null, none, "Diallo Awa Fatou"));
        people.add(new Person("lucien", null, null, none, "Petit Lucien"));
        OF_THE_DIRECTORY.forEach(
                name -> people.add(new Person(name, null, null, EnumSet.of(Neighbour.DIRECTORY), "Moreau Camille")));
        addPeopleWithCode(admin);
        addPeopleWithPin(admin, server);
    }

    private void addPeopleWithCode(AdminApi admin) {
        String execution = admin.execution("federation browser", "auth-email-code-form")
                .get("id")
                .asText();
        admin.post(
                "/authentication/executions/" + execution + "/config",
                Map.of("alias", "codes", "config", Map.of("maxCodesPerHour", MOST_CODES_PER_HOUR)));
        Object role = admin.get("/roles/code-by-email");
        for (int i = 0; i < WITH_CODE; i++) {
            String name = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of()).name();
            admin.post(admin.user(name) + "/role-mappings/realm", List.of(role));
            people.add(new Person(name, name + "@example.org", null, EnumSet.of(Neighbour.MAIL), "Martin Claude"));
        }
    }

    /** They choose the PIN themselves. */
    private void addPeopleWithPin(AdminApi admin, DistributionServer server) {
        for (int i = 0; i < WITH_PIN; i++) {
            String name = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of()).name();
            Browser browser = new Browser(server);
            HttpResponse<String> page = federation
                    .town()
                    .open(
                            browser,
                            name,
                            federation
                                    .town()
                                    .request()
                                    .with("scope", Federation.ALL_SCOPES)
                                    .with("kc_action", "configure-pin"));
            federation.town().redeem(browser.submit(page, Map.of("pin-new", PIN, "pin-confirm", PIN)));
            people.add(new Person(name, null, PIN, EnumSet.noneOf(Neighbour.class), "Martin Claude"));
        }
    }

    Federation federation() {
        return federation;
    }

    /** Those with inline keys. */
    List<Provider> dataProviders() {
        return dataProviders;
    }

    /** A further one, whose secret is guessed. */
    Provider guessed() {
        return guessed;
    }

    JWKSet keys() {
        return keys;
    }

    List<Person> people() {
        return people;
    }
}
