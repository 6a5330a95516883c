package io.github.checktoken.walk;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Login;
import io.github.checktoken.walk.oracle.OracleViolation;
import io.github.checktoken.walk.realm.WalkRealm;

/** Whose password or PIN was changed, as Keycloak's events say. Only who has proved something may change it. */
final class ChangedCredentials {

    private static final int NEWEST = 20;

    private final Walk walk;
    private final Pattern names;
    private final Set<String> seen = new HashSet<>();

    ChangedCredentials(Walk walk) {
        this.walk = walk;
        String suffix = walk.people().persons().get(0).name().substring(1);
        this.names = Pattern.compile("(x[0-9]+)?[a-z]" + Pattern.quote(suffix));
    }

    /** @return who may change their credentials in this login now */
    Set<String> allowed(Login login) {
        Stream<String> named = walk.passwords().keySet().stream();
        Stream<String> ofProviders = WalkRealm.PROVIDERS.stream()
                .flatMap(provider -> walk.people().at(provider).stream())
                .map(Identity::name);
        return Stream.concat(named, ofProviders)
                .filter(person -> walk.oracle().hasProved(login, person))
                .collect(Collectors.toSet());
    }

    /**
     * @param login the login in which it was changed
     * @param allowed who was allowed to when the request was sent
     * @return whose credential was changed by the last request; empty if nobody's was
     */
    Optional<String> check(Login login, Set<String> allowed) {
        String person = null;
        for (JsonNode event : walk.realm().admin().get("/events?type=UPDATE_CREDENTIAL&max=" + NEWEST)) {
            if (seen.add(event.path("id").asText())) {
                String name = walk.realm().username(event.path("userId").asText());
                person = names.matcher(name).matches() ? name : person;
            }
        }
        if (person != null && !allowed.contains(person) && !walk.oracle().hasProved(login, person)) {
            walk.fail(OracleViolation.Kind.CREDENTIAL_CHANGED_WITHOUT_PROOF, "a password or a PIN");
        }
        return Optional.ofNullable(person);
    }
}
