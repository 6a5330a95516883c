package io.github.checktoken.walk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.realm.WalkRealm;

/**
 * Who is linked to whom. Keycloak is asked, and each new link is checked: either the person whom the identity is linked
 * to now has proved something in this login, or the account was made by this first login, or the provider links by the
 * address.
 */
final class LinkedIdentities {

    private final Walk walk;
    private final Map<Identity, String> persons = new LinkedHashMap<>();
    private boolean isAnyDeleted;

    LinkedIdentities(Walk walk) {
        this.walk = walk;
    }

    /** @return the person whom the identity is linked to before it is used; null if there is none */
    String personBefore(Identity identity) {
        persons.put(identity, person(identity));
        return persons.get(identity);
    }

    boolean isLinked(Identity identity, String person) {
        return person.equals(person(identity));
    }

    /** Whether a first login of the identity may end in this account without a proof by its person. */
    boolean needsNoProof(Identity identity, String person) {
        return identity.provider().equals(WalkRealm.AUTO) ? linksByAddress(identity, person) : isNewAccount(person);
    }

    /** Checks the identities of this walk after a request that may have linked one of them. */
    void check(String url, Login login) {
        if (!url.contains("/broker/after-first-broker-login") && !url.contains("/endpoint")) {
            return;
        }
        for (Identity identity : persons.keySet()) {
            String now = person(identity);
            String before = persons.put(identity, now);
            if (now != null && !Objects.equals(before, now)) {
                walk.say("    " + identity.provider() + " account of " + identity.name() + " is now linked to " + now);
                boolean agreed = url.contains("/broker/after-first-broker-login")
                        ? walk.oracle().mayAgreeToLink(login, now)
                        : walk.oracle().hasProved(login, now);
                if (!needsNoProof(identity, now) && !agreed) {
                    walk.fail(OracleViolation.Kind.LINKED_WITHOUT_PROOF, "an account of a provider");
                }
            }
        }
    }

    /** @return the names of accounts that first logins may have made */
    List<String> newcomers() {
        return persons.keySet().stream()
                .map(Identity::name)
                .filter(name -> walk.people().named(name) == null)
                .distinct()
                .sorted()
                .toList();
    }

    boolean isAccount(String name) {
        return !accounts(name).isEmpty();
    }

    boolean isAnyDeleted() {
        return isAnyDeleted;
    }

    void deleteAccount(String name) {
        JsonNode users = accounts(name);
        if (!users.isEmpty()) {
            walk.realm().admin().delete("/users/" + users.get(0).get("id").asText());
            isAnyDeleted = true;
        }
    }

    private JsonNode accounts(String name) {
        return walk.realm().admin().get("/users?exact=true&username=" + Http.encode(name));
    }

    private boolean linksByAddress(Identity identity, String person) {
        return identity.name().equals(person) || isNewAccount(person);
    }

    private boolean isNewAccount(String person) {
        return walk.people().named(person) == null && !walk.isNewName(person);
    }

    private String person(Identity identity) {
        JsonNode users = walk.realm()
                .admin()
                .get("/users?idpAlias=" + identity.provider() + "&idpUserId=" + Http.encode(identity.subject()));
        return users.isEmpty() ? null : users.get(0).path("username").asText();
    }
}
