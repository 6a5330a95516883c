package io.github.checktoken.walk;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;

/** Fills in the page on which a person chooses a new password or PIN. */
final class NewSecret {

    private final Walk walk;
    private final Page page;
    private final boolean pin;

    private NewSecret(Walk walk) {
        this.walk = walk;
        this.page = walk.page();
        this.pin = page.kind() == Page.Kind.NEW_PIN;
    }

    static void choose(Walk walk) {
        new NewSecret(walk).choose();
    }

    private void choose() {
        String field = pin ? "pin" : "password";
        String secret = pin ? walk.newDigits() : "new-" + walk.newName();
        Login login = walk.loginOf(page.form().action());
        String person = login.person() == null ? walk.oracle().person() : login.person();
        Map<String, String> fields = new HashMap<>(page.form().fields());
        fields.put(field + "-new", secret);
        fields.put(field + "-confirm", secret);
        if (fields.containsKey("pin-current") && walk.pins().containsKey(person)) {
            fields.put("pin-current", walk.pins().get(person));
        }
        walk.say("chooses a new " + field + ", of " + person + " it seems");
        Set<String> allowed = walk.credentials().allowed(login);
        walk.submit(
                page.form(),
                fields,
                response -> walk.credentials().check(login, allowed).ifPresent(changed -> {
                    walk.say("    the " + field + " of " + changed + " is changed");
                    (pin ? walk.pins() : walk.passwords()).put(changed, secret);
                }));
        login.passed("new " + field);
    }
}
