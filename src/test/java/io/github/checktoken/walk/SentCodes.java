package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.MailCodeExecution;

/**
 * How many codes each person was sent because a form was submitted. An execution must send no more than its limit
 * allows, and codes of logins and of resets are counted apart. A code that a link has triggered does not count.
 */
final class SentCodes {

    private final Walk walk;
    private final Map<String, Integer> sent = new HashMap<>();
    private List<Integer> before = List.of();

    SentCodes(Walk walk) {
        this.walk = walk;
    }

    void beforeForm() {
        before = mails();
    }

    /** @param response the response to the form, before a redirect is followed */
    void afterForm(Form form, HttpResponse<String> response) {
        if (walk.navigation().isWaiting()) {
            // The mail may be of the form that is not answered yet.
            return;
        }
        List<Integer> after = mails();
        for (int i = 0; i < after.size(); i++) {
            if (after.get(i) > before.get(i)) {
                count(walk.people().persons().get(i), execution(form, response));
            }
        }
    }

    private void count(Person person, MailCodeExecution execution) {
        if (execution == null) {
            return;
        }
        int codes = sent.merge(person.name() + (execution.resets() ? " reset" : " login"), 1, Integer::sum);
        if (codes > execution.maxCodesPerHour()) {
            walk.say("    code " + codes + " of " + person.role() + " within an hour, of "
                    + execution.maxCodesPerHour());
            walk.fail(
                    OracleViolation.Kind.MORE_CODES_THAN_ALLOWED,
                    execution.resets() ? "to reset credentials" : "in logins");
        }
    }

    /** @return the execution that has sent the code; null if it was a link and not a code */
    private MailCodeExecution execution(Form form, HttpResponse<String> response) {
        String shown = response.headers()
                .firstValue("Location")
                .orElseGet(() -> walk.read(form.action(), response).forms().stream()
                        .map(Form::action)
                        .filter(action -> action.contains("execution="))
                        .findFirst()
                        .orElse(""));
        return walk.realm().mailCodeExecutions().get(Walk.parameter(shown, "execution"));
    }

    private List<Integer> mails() {
        return walk.people().persons().stream()
                .map(person -> walk.mailServer().count(person.address()))
                .toList();
    }
}
