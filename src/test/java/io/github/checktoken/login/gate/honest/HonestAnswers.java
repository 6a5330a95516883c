package io.github.checktoken.login.gate.honest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;

/** What a person answers to each page. */
final class HonestAnswers {

    private final HonestRealm realm;
    private final HonestPerson person;
    private final Set<String> openedMails = new HashSet<>();
    private int codesSent;

    HonestAnswers(HonestRealm realm, HonestPerson person) {
        this.realm = realm;
        this.person = person;
    }

    HonestPerson person() {
        return person;
    }

    boolean knows(Page page) {
        return page.form() != null && !to(page).isEmpty();
    }

    /** @return the fields; empty if the page asks for nothing */
    Map<String, String> to(Page page) {
        return switch (page.kind()) {
            case NAME_AND_PASSWORD -> Map.of("username", person.name(), "password", passwordFor(page));
            case NAME, RESET -> Map.of("username", person.name());
            case PASSWORD -> Map.of("password", passwordFor(page));
            case PIN -> Map.of("pin", person.pin());
            case OTP -> Map.of("otp", person.otp());
            case MAIL_CODE -> Map.of("code", mailedCode());
            case NEW_PIN -> newPin(page.form());
            case NEW_PASSWORD -> newPassword();
            case REGISTRATION -> registration();
            case PROFILE -> Map.of("firstName", "Dominique", "lastName", "Moreau");
            case LINK_ACCOUNT -> Map.of("submitAction", "linkAccount");
            case CONSENT, DELETE_CREDENTIAL -> Map.of("accept", "yes");
            case LOGOUT -> Map.of("confirmLogout", "yes");
            default -> Map.of();
        };
    }

    /** Notes that this answer was sent. */
    void sent(Map<String, String> fields) {
        if (fields.containsKey("code")) {
            codesSent++;
        }
    }

    int codesSent() {
        return codesSent;
    }

    /** @return the newest link in the person's mailbox that was not opened yet; null if there is none */
    String newMail() {
        List<String> links = realm.mailServer().links(person.address());
        return links.stream()
                .filter(link -> !openedMails.contains(link))
                .reduce((older, newer) -> newer)
                .orElse(null);
    }

    String openMail() {
        String link = newMail();
        openedMails.add(link);
        return link;
    }

    /**
     * Who has begun in two tabs has two mails, and tries the newest code, then the one before, and then the newest again: a
     * form that was loaded again meanwhile is not read.
     */
    private String mailedCode() {
        List<String> codes = realm.mailServer().codes(person.address());
        return codes.get(codes.size() - 1 - codesSent % codes.size());
    }

    private String passwordFor(Page page) {
        return page.url().startsWith(realm.url() + "/") ? person.password() : person.passwordAtTheProvider();
    }

    private Map<String, String> newPassword() {
        String chosen = person.choosePassword();
        return Map.of("password-new", chosen, "password-confirm", chosen, "logout-sessions", "on");
    }

    /** Who has pressed twice may be asked again, and then has the new PIN already. */
    private Map<String, String> newPin(Form form) {
        Map<String, String> fields = new HashMap<>(
                Map.of("pin-new", person.newPin(), "pin-confirm", person.newPin(), "logout-sessions", "on"));
        if (form.has("pin-current")) {
            fields.put("pin-current", person.newPin());
        }
        return fields;
    }

    private Map<String, String> registration() {
        return Map.of(
                "username", person.name(),
                "email", person.address(),
                "firstName", "Camille",
                "lastName", "Moreau",
                "password", person.password(),
                "password-confirm", person.password());
    }
}
