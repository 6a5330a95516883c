package io.github.checktoken.walk;

import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.Request;
import io.github.checktoken.walk.browser.Tab;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.Oracle;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;

/** One walk: its people with their secrets, what the browser shows, what the clients got, and what the oracle found. */
public final class Walk {

    /** In percent of the walks. */
    private static final int HOSTILE = 60;

    private final WalkRealm realm;
    private final MailServer mailServer;
    private final People people;
    private final boolean hostile;
    private final Map<String, String> passwords = new HashMap<>();
    private final Map<String, String> pins = new HashMap<>();
    private final Map<String, Request> requests = new HashMap<>();
    private final Set<String> newNames = new HashSet<>();
    private final List<String> lines = new ArrayList<>();
    private final Navigation navigation;
    private final IssuedTokens answers;
    private final Grants grants;
    private final StraightLogin straight = new StraightLogin(this);
    private final OtherBrowser otherBrowser;
    private final Devices devices;
    private final LinkedIdentities links;
    private final ChangedCredentials credentials;
    private final SentCodes codes;
    private final Oracle oracle;
    private Random random;
    private Habits habits;
    private long stepSeed;
    private OracleViolation wrong;
    private int names;

    /** @param seed of the people and of what they are up to */
    Walk(WalkRealm realm, MailServer mailServer, People people, long seed) {
        this.realm = realm;
        this.mailServer = mailServer;
        this.people = people;
        this.hostile = new Random(seed ^ 0x405711e).nextInt(100) < HOSTILE;
        this.navigation = new Navigation(this);
        this.grants = new Grants(this);
        this.devices = new Devices(this);
        this.links = new LinkedIdentities(this);
        this.credentials = new ChangedCredentials(this);
        this.codes = new SentCodes(this);
        this.oracle = new Oracle(links::isLinked, links::needsNoProof);
        this.answers = new IssuedTokens(this, navigation.browser(), oracle);
        this.otherBrowser = new OtherBrowser(this);
        for (Person person : people.persons()) {
            passwords.put(person.name(), person.password());
            if (person.pin() != null) {
                pins.put(person.name(), person.pin());
            }
        }
    }

    void take(Step step) {
        stepSeed = step.seed();
        habits = step.habits();
        random = new Random(stepSeed);
        navigation.awaitIfDue();
        if (step.door().weight(this) > 0) {
            pass(step.door());
        }
    }

    void pass(LoginAction action) {
        straight.afterwards(action);
        action.pass(this);
    }

    void end() {
        random = new Random(0);
        navigation.await();
        people.persons().forEach(person -> mailServer.forget(person.address()));
    }

    OracleViolation wrong() {
        return wrong;
    }

    /** @return what was done, one line for each act */
    List<String> lines() {
        return lines;
    }

    WalkRealm realm() {
        return realm;
    }

    MailServer mailServer() {
        return mailServer;
    }

    People people() {
        return people;
    }

    /** Whether only A uses the browser, who knows everybody's name but only A's secrets. */
    boolean isHostile() {
        return hostile;
    }

    Habits habits() {
        return habits;
    }

    Oracle oracle() {
        return oracle;
    }

    Navigation navigation() {
        return navigation;
    }

    SeenAddresses seen() {
        return navigation.seen();
    }

    IssuedTokens answers() {
        return answers;
    }

    ObservedBrowser observed() {
        return new ObservedBrowser(navigation.browser(), oracle, answers);
    }

    OtherBrowser otherBrowser() {
        return otherBrowser;
    }

    StraightLogin straight() {
        return straight;
    }

    Grants grants() {
        return grants;
    }

    Devices devices() {
        return devices;
    }

    LinkedIdentities links() {
        return links;
    }

    ChangedCredentials credentials() {
        return credentials;
    }

    SentCodes codes() {
        return codes;
    }

    Tab tab() {
        return navigation.tab();
    }

    Page page() {
        return tab().page();
    }

    /** By state: one browser may end the login that the other has begun. */
    Map<String, Request> requests() {
        return requests;
    }

    Map<String, String> passwords() {
        return passwords;
    }

    Map<String, String> pins() {
        return pins;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** @return a number below 1000 that depends only on this step and the key, so that other choices do not change it */
    int affinity(String key) {
        return new Random(stepSeed ^ 0x9E3779B97F4A7C15L * key.hashCode()).nextInt(1000);
    }

    /** @return a name that nobody else has, in this walk or in another */
    String newName() {
        String name = "x" + names++ + people.persons().get(0).name();
        newNames.add(name);
        return name;
    }

    boolean isNewName(String name) {
        return newNames.contains(name);
    }

    String newDigits() {
        return String.valueOf(900_001 + 37 * names++);
    }

    void say(String line) {
        lines.add("[tab " + tab().number() + "] " + line);
    }

    /** Sends a new authorization request of a client in this tab. */
    void request(String client, Map<String, String> more, boolean forced) {
        Request request = answers.request(client, forced);
        tab().login(navigation.newLogin());
        tab().login().asksFor(more.keySet());
        straight.begin(client, more);
        AuthorizationRequest sent = realm.client(client)
                .request()
                .without("acr_values")
                .with("state", request.state())
                .with("nonce", request.nonce())
                .askingForAmr();
        more.forEach(sent::with);
        open(sent.url());
    }

    void open(String url) {
        open(url, response -> {});
    }

    /** @param first gets the response before a redirect is followed */
    void open(String url, Consumer<HttpResponse<String>> first) {
        navigation.open(url, first);
    }

    void submit(Form form, Map<String, String> fields) {
        submit(form, fields, response -> {});
    }

    /** @param first gets the response before a redirect is followed */
    void submit(Form form, Map<String, String> fields, Consumer<HttpResponse<String>> first) {
        navigation.submit(form, fields, first);
    }

    Page read(String url, HttpResponse<String> response) {
        return navigation.read(url, response);
    }

    Login loginOf(String url) {
        return navigation.loginOf(url);
    }

    Login loginAfter(String url, HttpResponse<String> response) {
        return navigation.loginAfter(url, response);
    }

    boolean isOfTheRealm(String url) {
        return url.startsWith(realm.url() + "/");
    }

    void fail(OracleViolation.Kind kind, String description) {
        // An unguarded realm promises no more than Keycloak does.
        if (wrong == null && (realm.isGuarded() || kind == OracleViolation.Kind.NOT_GRANTED)) {
            wrong = new OracleViolation(kind, description);
        }
    }

    static boolean isEndpoint(String url) {
        return url.contains("/broker/") && url.contains("/endpoint?");
    }

    /** @return a parameter of the query or of the fragment; null if there is none */
    public static String parameter(String url, String name) {
        Matcher parameter = Pattern.compile("[?&#]" + name + "=([^&#]*)").matcher(url);
        return parameter.find() ? URLDecoder.decode(parameter.group(1), StandardCharsets.UTF_8) : null;
    }

    /** @return the error of an answer in JSON; empty if there is none */
    static String errorOf(HttpResponse<String> response) {
        return response.body().startsWith("{")
                ? Http.json(response.body()).path("error_description").asText()
                : "";
    }

    static String path(String url) {
        return url.replaceAll("^https?://[^/]+/realms/[^/]+", "").replaceAll("\\?.*", "");
    }
}
