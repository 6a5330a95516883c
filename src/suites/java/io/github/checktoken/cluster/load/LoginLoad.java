package io.github.checktoken.cluster.load;

import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * Signs two people in at HAProxy until it is closed, each time in a new browser, and checks the access token. HAProxy
 * sends the page, the password, the code and the token to different nodes. Nobody signs in twice at the same time,
 * because Keycloak's brute force detection refuses that.
 */
public final class LoginLoad implements AutoCloseable {

    private static final int PEOPLE = 2;
    private static final long PAUSE_MILLIS = 100;

    /** The outcome of a login that a connection error has interrupted. */
    private static final String INTERRUPTED = "connection error";

    private static final String SIGNED_IN = "fc pwd, active";

    private final KeycloakServer server;
    private final Federation federation;
    private final Queue<String> outcomes = new ConcurrentLinkedQueue<>();
    private final List<DemoPerson> people = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    public LoginLoad(KeycloakServer server) {
        this.server = server;
        this.federation = new Federation(server);
        for (int person = 0; person < PEOPLE; person++) {
            DemoPerson each = new DemoPerson(federation.admin(), List.of(DemoPerson.PASSWORD), List.of());
            people.add(each);
            Thread thread = new Thread(() -> signInAgainAndAgain(each.name()), "login-load-" + person);
            threads.add(thread);
            thread.start();
        }
    }

    private void signInAgainAndAgain(String username) {
        while (!ended) {
            outcomes.add(signIn(username));
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private String signIn(String username) {
        try {
            ServiceProvider town = federation.town();
            Browser browser = new Browser(server);
            HttpResponse<String> page =
                    browser.get(town.request().askingForAmr().url());
            if (HaproxyServer.isConnectionError(page)) {
                return INTERRUPTED;
            }
            HttpResponse<String> redirect = browser.givePassword(page, username);
            if (HaproxyServer.isConnectionError(redirect)) {
                return INTERRUPTED;
            }
            Tokens tokens = town.redeem(redirect);
            HttpResponse<String> answer = federation.tax().post(tokens.accessToken());
            if (HaproxyServer.isConnectionError(answer)) {
                return INTERRUPTED;
            }
            boolean active = federation.tax().read(answer.body()).active();
            return tokens.amr() + (active ? ", active" : ", not active");
        } catch (UncheckedIOException e) {
            // HAProxy has closed the connection, because the node's connection behind it broke.
            return INTERRUPTED;
        } catch (AssertionError | RuntimeException e) {
            // The token endpoint, or the published keys, answered with HAProxy's page.
            return String.valueOf(e.getMessage()).contains("<h1>502 Bad Gateway</h1>") ? INTERRUPTED : e.toString();
        }
    }

    /** @return what happened in logins that neither succeeded nor were interrupted by a connection error */
    public List<String> wrong() {
        close();
        return outcomes.stream()
                .filter(outcome -> !outcome.equals(SIGNED_IN) && !outcome.equals(INTERRUPTED))
                .toList();
    }

    /** @return the number of logins that succeeded */
    public long successes() {
        close();
        return outcomes.stream().filter(SIGNED_IN::equals).count();
    }

    /** @return the number of logins that a connection error has interrupted */
    public long interrupted() {
        close();
        return outcomes.stream().filter(INTERRUPTED::equals).count();
    }

    public String summary() {
        close();
        return "%d logins, %d interrupted by a connection error".formatted(outcomes.size(), interrupted());
    }

    @Override
    public void close() {
        ended = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        people.forEach(DemoPerson::close);
        people.clear();
    }
}
