package io.github.checktoken.walk.realm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;

/** Creates the people of the known attacks, one by one. */
public final class Accounts {

    private final WalkRealm realm;
    private int people;

    public Accounts(WalkRealm realm) {
        this.realm = realm;
    }

    /** @param pin whether the person has a PIN */
    public Person person(String role, boolean pin, String... requiredActions) {
        String name = role + "-" + people++;
        Person person =
                new Person(role, name, "password-" + name, pin ? String.valueOf(518_000 + people) : null, null, true);
        List<Map<String, String>> credentials = new ArrayList<>();
        credentials.add(StoredSecret.credential("password", person.password()));
        if (pin) {
            credentials.add(StoredSecret.credential("pin", person.pin()));
        }
        return create(person, credentials, requiredActions);
    }

    /** Creates a person without a PIN, whose password takes the server seconds to check. */
    public Person personWithSlowPassword(String role) {
        String name = role + "-" + people++;
        Person person = new Person(role, name, "password-" + name, null, null, true);
        return create(person, List.of(StoredSecret.slowCredential("password", person.password())));
    }

    /** Creates a person whose PIN takes the server seconds to check. */
    public Person personWithSlowPin(String role) {
        String name = role + "-" + people++;
        Person person = new Person(role, name, "password-" + name, String.valueOf(518_000 + people), null, true);
        return create(
                person,
                List.of(
                        StoredSecret.credential("password", person.password()),
                        StoredSecret.slowCredential("pin", person.pin())));
    }

    private Person create(Person person, List<Map<String, String>> credentials, String... requiredActions) {
        Map<String, Object> user = new HashMap<>();
        user.put("username", person.name());
        user.put("enabled", true);
        user.put("email", person.address());
        user.put("emailVerified", requiredActions.length == 0);
        user.put("firstName", "Camille");
        user.put("lastName", "Moreau");
        user.put("credentials", credentials);
        user.put("requiredActions", List.of(requiredActions));
        realm.admin().create("/users", user);
        return person;
    }

    public void disable(Person person) {
        realm.admin().update(realm.admin().user(person.name()), user -> user.put("enabled", false));
    }

    /** Creates the person's own account at the provider {@code up}, and links it. */
    public Identity identity(Person person, Set<String> methods) {
        return identity(WalkRealm.UP, person, methods);
    }

    /** Creates the person's own account at this provider, and links it. */
    public Identity identity(String provider, Person person, Set<String> methods) {
        Identity identity = unlinkedIdentity(provider, person.name(), methods);
        realm.admin()
                .post(
                        realm.admin().user(person.name()) + "/federated-identity/" + provider,
                        Map.of("userId", identity.subject(), "userName", person.name()));
        return identity;
    }

    /** Creates an account at this provider that is not linked to anybody here. */
    public Identity unlinkedIdentity(String provider, String name, Set<String> methods) {
        String password = provider + "-password-" + name;
        String subject = realm.provider(provider)
                .create(
                        "/users",
                        Map.of(
                                "username",
                                name,
                                "enabled",
                                true,
                                "email",
                                name + "@example.org",
                                "firstName",
                                "Camille",
                                "lastName",
                                "Moreau",
                                "credentials",
                                List.of(StoredSecret.credential("password", password)),
                                "attributes",
                                WalkUserFactory.attributes(methods)));
        return new Identity(provider, name, subject, password, methods);
    }
}
