package io.github.checktoken.client;

import java.util.*;

import static io.github.checktoken.client.CheckTokenException.unless;

/**
 * A verified answer. It can be of a token that is not active, so it gives nothing before a scope is asked for:
 *
 * <pre>{@code Answer.Person person = checkToken.check(token).require("tax_income").person();}</pre>
 *
 * <p>Do not keep an answer: the token can be revoked at any moment. None shows in {@code toString} whose token it is.
 */
public final class Answer {

    private static final Set<String> TOKEN =
            Set.of("active", "aud", "client_id", "sub", "iat", "exp", "acr", "jti", "scope", "cnf", "auth_time");

    private final Map<String, Object> token;
    private final boolean proven;
    private final Set<String> identity;

    Answer(Map<String, Object> token, boolean proven, Set<String> identity) {
        this.token = token;
        this.proven = proven;
        this.identity = identity;
    }

    /** @throws CheckTokenException if the token is not active, not proven, or lacks one of the scopes */
    public Access require(String scope, String... more) {
        unless(token.get("active").equals(true), "inactive");
        unless(proven, "not-proven");
        List<String> granted = List.of(((String) token.get("scope")).split(" "));
        unless(!scope.isBlank() && granted.contains(scope) && granted.containsAll(List.of(more)), "insufficient-scope");
        Map<String, Object> data = new HashMap<>(token);
        data.keySet().removeAll(TOKEN);
        boolean isPerson = identity.stream().anyMatch(token::containsKey);
        Person person = isPerson ? new Person((String) token.get("sub"), (String) token.get("acr"), data) : null;
        return new Access((String) token.get("client_id"), (String) token.get("jti"), person);
    }

    /** @return what the platform says (RFC 7662), for who checks scopes, persons and {@code cnf} on their own */
    public Map<String, Object> unchecked() {
        return Collections.unmodifiableMap(token);
    }

    /**
     * What a service provider may do, for a person or for itself.
     *
     * @param clientId the service provider
     * @param jti by this, the administrator finds the call; it may be logged
     */
    public record Access(String clientId, String jti, Person person) {

        /** @throws CheckTokenException if the token is of a machine: a service account, which is no person */
        public Person person() {
            unless(person != null, "machine");
            return person;
        }
    }

    /**
     * Who uses the service provider.
     *
     * @param sub who the person is, for this data provider only
     * @param acr the level of assurance of the login, null if it is not known
     * @param identity a copy of the identity data. Do not log it
     */
    public record Person(String sub, String acr, Map<String, Object> identity) {

        @Override
        public String toString() {
            return "Person";
        }
    }
}
