package io.github.checktoken.guest.realm;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

/** A realm with Keycloak's own flows and mappers, and a second realm that is its identity provider. */
public final class GuestRealm {

    public static final String CALLBACK = GuestClients.CALLBACK;

    private static final int MANY_ITERATIONS = 3_000_000;

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final String name;
    private final AdminApi admin;
    private final AdminApi upstream;
    private final AtomicInteger people = new AtomicInteger();

    /** @param gate the value of the realm attribute {@code checktoken.login.gate}; null if it has none */
    public GuestRealm(KeycloakServer server, MailServer mailServer, String name, String gate) {
        this.server = server;
        this.mailServer = mailServer;
        this.name = name;
        this.admin = new AdminApi(server, name);
        this.upstream = new AdminApi(server, name + "-upstream");
        new GuestRealmJson(server, mailServer, name, gate).create(admin);
    }

    public AdminApi admin() {
        return admin;
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    public TabBrowser browser() {
        return new TabBrowser(server.baseUrl());
    }

    public ServiceProvider client(String clientId) {
        return new ServiceProvider(server, name, clientId, GuestClients.SECRET, CALLBACK);
    }

    public AuthorizationRequest request(String clientId) {
        return client(clientId).request().without("acr_values");
    }

    /** @return the address of a request that must be answered without a page (OpenID Connect Core, section 3.1.2.1) */
    public String silentRequest(String clientId) {
        return request(clientId).with("prompt", "none").url();
    }

    /** @return the address of the page on which a person confirms that she signs out */
    public String signOut(String clientId) {
        return url() + "/protocol/openid-connect/logout?client_id=" + clientId + "&post_logout_redirect_uri="
                + CALLBACK;
    }

    /** @return somebody who has no account yet, and a mailbox that nobody of another realm has */
    public Person stranger() {
        return new Person("person-%d-%s".formatted(people.incrementAndGet(), name));
    }

    public Person newPerson() {
        Person person = stranger();
        create(admin, person, List.of(StoredSecret.credential("password", Person.PASSWORD)));
        return person;
    }

    public Person newPersonWithOtp() {
        Person person = stranger();
        create(admin, person, List.of(StoredSecret.credential("password", Person.PASSWORD), Totp.credential()));
        return person;
    }

    /** @return somebody whose password the server checks for seconds */
    public Person newPersonWithSlowPassword() {
        Person person = stranger();
        create(admin, person, List.of(StoredSecret.slowCredential("password", Person.PASSWORD, MANY_ITERATIONS)));
        return person;
    }

    /** Gives the person an account of the same name and address at the identity provider. */
    public Person atTheProvider(Person person) {
        create(upstream, person, List.of(StoredSecret.credential("password", Person.PASSWORD)));
        return person;
    }

    /** Links both accounts of the person. */
    public void link(Person person, String provider) {
        String subject = upstream.user(person.name()).substring("/users/".length());
        admin.post(
                admin.user(person.name()) + "/federated-identity/" + provider,
                Map.of("userId", subject, "userName", person.name()));
    }

    public boolean isLinked(Person person) {
        return !admin.get(admin.user(person.name()) + "/federated-identity").isEmpty();
    }

    /** @return the links in the person's mails, the oldest first */
    public List<String> mailLinks(Person person) {
        return mailServer.links(person.address());
    }

    public Tab tab(TabBrowser browser, Person person) {
        return new Tab(this, browser, person);
    }

    /** @return a tab of a browser in which nobody is signed in */
    public Tab newBrowserTab(Person person) {
        return tab(browser(), person);
    }

    /** Signs a person in with the password. */
    public Tokens signIn(TabBrowser browser, Person person, String clientId) {
        HttpResponse<String> end =
                tab(browser, person).open(clientId, Map.of()).answer().response();
        return client(clientId).redeem(end);
    }

    /** @return for each person a browser in which she is signed in at the application {@code app} */
    public List<TabBrowser> signedIn(int people) {
        List<TabBrowser> browsers = new ArrayList<>();
        for (int i = 0; i < people; i++) {
            TabBrowser browser = browser();
            signIn(browser, newPerson(), "app");
            browsers.add(browser);
        }
        return browsers;
    }

    private static void create(AdminApi realm, Person person, List<Map<String, String>> credentials) {
        realm.create(
                "/users",
                Map.of(
                        "username",
                        person.name(),
                        "enabled",
                        true,
                        "email",
                        person.address(),
                        "emailVerified",
                        true,
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "credentials",
                        credentials));
    }
}
