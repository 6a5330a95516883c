package io.github.checktoken.chaos;

import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.MailServer;

/** People who sign in, with a password and some with a code by e-mail or a PIN; later they sign out. */
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
        SignedIn signedIn = signIn(next.remove(random.nextInt(next.size())));
        if (signedIn != null) {
            SignedIn ending = sessions.add(signedIn);
            if (ending != null) {
                end(ending);
            }
        }
    }

    /** Everybody signs in, when nothing has been broken for a while. */
    void requireNoLocks() {
        for (Person person : people) {
            try {
                new LoginAttempt(federation, mail, person).run();
                report.outcome("login at the end", "right", List.of());
            } catch (RuntimeException | AssertionError e) {
                report.violation("a lock outlives its cause", person + ": " + e);
            }
        }
    }

    /** @return null if the login fails */
    private SignedIn signIn(Person person) {
        String what = "login %s %s".formatted(person.amr(), person.needs());
        LoginAttempt attempt = new LoginAttempt(federation, mail, person);
        long asked = System.nanoTime();
        try {
            Tokens tokens = attempt.run();
            if (!tokens.amr().equals(person.amr())) {
                report.violation(what + ": wrong amr", tokens.amr());
            }
            report.outcome(what, "right", List.of());
            return new SignedIn(person, tokens, asked);
        } catch (RuntimeException | AssertionError e) {
            List<Outage> causes = outages.causes(person.needsToSignIn(), asked);
            Outages.blame(causes, asked);
            judge(what, attempt.end(), causes, e);
            return null;
        }
    }

    private void end(SignedIn signedIn) {
        signedIn.ending();
        long asked = System.nanoTime();
        try {
            HttpResponse<String> response = federation
                    .town()
                    .post(
                            "/protocol/openid-connect/logout",
                            Map.of("refresh_token", signedIn.tokens().refreshToken()));
            if (response.statusCode() == 204) {
                signedIn.ended();
                report.outcome("logout", "right", List.of());
                return;
            }
            String end = LoginAttempt.documented(response);
            judge("logout", end, causes(signedIn, asked), response.statusCode() + " " + response.body());
        } catch (UncheckedIOException e) {
            judge("logout", null, causes(signedIn, asked), e);
        }
    }

    /** A clock that was wrong since the login can have ended the session. */
    private List<Outage> causes(SignedIn signedIn, long asked) {
        List<Outage> causes = new ArrayList<>(outages.causes(signedIn.person().needsToSignIn(), asked));
        causes.addAll(outages.causes(Set.of(Neighbour.CLOCK), signedIn.asked()));
        return causes;
    }

    /**
     * What has failed must have a cause, and end in a documented way.
     *
     * @param end null if it is not documented
     */
    private void judge(String what, String end, List<Outage> causes, Object detail) {
        if (causes.isEmpty()) {
            report.violation(what + ": failed without a cause", detail + ", broken: " + outages.recent());
        }
        if (end == null) {
            report.violation(what + ": fails in no documented way", detail + ", broken: " + outages.recent());
        }
        report.outcome(what, "failed: " + end, causes);
    }
}
