package io.github.checktoken.chaos;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.MailServer;

/** People who sign in, with a password and some with a code by e-mail; later they sign out or the token is revoked. */
final class LoginCaller implements Runnable {

    private final Random random;
    private final Federation federation;
    private final MailServer mail;
    private final List<Person> people;
    private final Sessions sessions;
    private final Outages outages;
    private final Report report;
    private final List<Person> next = new ArrayList<>();

    LoginCaller(
            Random random,
            Federation federation,
            MailServer mail,
            List<Person> people,
            Sessions sessions,
            Outages outages,
            Report report) {
        this.random = random;
        this.federation = federation;
        this.mail = mail;
        this.people = people;
        this.sessions = sessions;
        this.outages = outages;
        this.report = report;
    }

    @Override
    public void run() {
        if (next.isEmpty()) {
            next.addAll(people);
        }
        Person person = next.remove(random.nextInt(next.size()));
        Set<Neighbour> needs = EnumSet.of(Neighbour.DATABASE, Neighbour.CLOCK);
        needs.addAll(person.needs());
        String what = "login " + person.needs();
        long asked = System.nanoTime();
        try {
            Tokens tokens;
            // The other callers sign in the same people, and a mail does not say whose login it belongs to.
            synchronized (person) {
                asked = System.nanoTime();
                tokens = signIn(person);
            }
            SignedIn signedIn = new SignedIn(person, tokens, asked);
            if (!tokens.amr().equals(person.address() == null ? "fc pwd" : "fc pwd mail")) {
                report.violation(what + ": wrong amr", tokens.amr());
            }
            report.outcome(what, "right", List.of());
            end(sessions.add(signedIn));
        } catch (RuntimeException | AssertionError e) {
            List<Outage> causes = outages.causes(needs, asked);
            if (causes.isEmpty()) {
                report.violation(what + ": failed without a cause", e + ", broken: " + outages.recent());
            }
            Outages.blame(causes, asked);
            report.outcome(what, "failed", causes);
        }
    }

    private Tokens signIn(Person person) {
        ServiceProvider town = federation.town();
        Browser browser = new Browser(federation.server());
        HttpResponse<String> response = town.open(
                browser,
                person.name(),
                town.request().with("scope", Federation.ALL_SCOPES).askingForAmr());
        if (person.address() != null) {
            String code = mail.newestCode(person.address()).orElseThrow();
            mail.forget(person.address());
            response = browser.submit(response, Map.of("code", code));
        }
        return town.redeem(response);
    }

    private void end(SignedIn signedIn) {
        if (signedIn == null) {
            return;
        }
        signedIn.ending();
        HttpResponse<String> response = federation
                .town()
                .post(
                        "/protocol/openid-connect/logout",
                        Map.of("refresh_token", signedIn.tokens().refreshToken()));
        report.outcome("logout", "" + response.statusCode(), List.of());
        if (response.statusCode() == 204) {
            signedIn.ended();
        }
    }
}
