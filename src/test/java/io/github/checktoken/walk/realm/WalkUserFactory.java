package io.github.checktoken.walk.realm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;

/**
 * Creates the people of many walks at once. What they have is drawn from the seed of the walk. Their names differ each
 * time, so that a walk can be repeated from the start.
 */
public final class WalkUserFactory {

    private static final List<String> ROLES = List.of("V", "A", "D");

    /** In percent of the walks: A has secrets that the server checks slowly. */
    private static final int SLOW = 12;

    private static final String SLOW_PIN = "518999";

    /** Some requests of the browser take less time than the check of a secret. */
    private static final int SLOW_ITERATIONS = 100_000;

    private final WalkRealm realm;

    public WalkUserFactory(WalkRealm realm) {
        this.realm = realm;
    }

    /** @param seeds the seed of each walk, by the suffix of the names */
    public Map<String, People> make(Map<String, Long> seeds) {
        Map<String, List<Person>> persons = new LinkedHashMap<>();
        Map<String, List<Identity>> identities = new HashMap<>();
        List<Map<String, Object>> users = new ArrayList<>();
        Map<String, List<Map<String, Object>>> upstream = new HashMap<>();
        Set<String> slowOnes = new HashSet<>();
        seeds.forEach((suffix, seed) -> {
            Random random = new Random(seed ^ 0x5eed);
            List<Person> three = new ArrayList<>();
            boolean slow = random.nextInt(100) < SLOW;
            for (String role : ROLES) {
                boolean isSlow = slow && role.equals("A");
                Person person = person(role, suffix, random, isSlow);
                three.add(person);
                users.add(user(person, random, isSlow));
            }
            if (slow) {
                slowOnes.add(suffix);
            }
            persons.put(suffix, three);
            for (String provider : WalkRealm.PROVIDERS) {
                for (String role : List.of("V", "A", "N")) {
                    upstream.computeIfAbsent(provider, key -> new ArrayList<>())
                            .add(upstreamUser(provider, role, suffix));
                }
            }
        });
        Map<String, String> subjects = new HashMap<>();
        upstream.forEach((provider, list) -> importUsers(realm.provider(provider), list)
                .forEach((name, id) -> subjects.put(provider + " " + name, id)));
        for (Map<String, Object> user : users) {
            link(user, subjects);
        }
        importUsers(realm.admin(), users);
        Map<String, People> people = new LinkedHashMap<>();
        persons.forEach((suffix, three) ->
                people.put(suffix, new People(three, identities(suffix, subjects), slowOnes.contains(suffix))));
        return people;
    }

    private static Person person(String role, String suffix, Random random, boolean slow) {
        String name = role.toLowerCase() + suffix;
        boolean pin = random.nextInt(10) < 6 || role.equals("D");
        boolean otp = random.nextInt(10) < 3;
        // The PINs of a walk differ from each other.
        String digits = (role.equals("V") ? "739" : role.equals("A") ? "518" : "264") + (100 + random.nextInt(900));
        return new Person(
                role,
                name,
                "password-" + role,
                slow ? SLOW_PIN : pin ? digits : null,
                otp ? "a-secret-of-person-" + role : null,
                !role.equals("D"));
    }

    private static Map<String, Object> user(Person person, Random random, boolean slow) {
        List<Map<String, String>> credentials = new ArrayList<>();
        credentials.add(credential("password", person.password(), slow));
        if (person.pin() != null) {
            credentials.add(credential("pin", person.pin(), slow));
        }
        if (person.otpSecret() != null) {
            credentials.add(Totp.credential(person.otpSecret()));
        }
        Map<String, Object> user = new HashMap<>();
        user.put("username", person.name());
        user.put("enabled", person.enabled());
        user.put("email", person.address());
        user.put("emailVerified", random.nextInt(10) < 7);
        user.put("firstName", "Camille");
        user.put("lastName", "Moreau");
        user.put("credentials", credentials);
        user.put("realmRoles", List.of("offline_access"));
        boolean linkedAtUp = random.nextInt(10) < 7;
        String action = List.of("UPDATE_PASSWORD", "VERIFY_EMAIL", "configure-pin", "", "", "", "", "", "", "", "", "")
                .get(random.nextInt(12));
        user.put("requiredActions", action.isEmpty() ? List.of() : List.of(action));
        boolean linkedAtAuto = random.nextInt(10) < 3;
        user.put("linked", Map.of(WalkRealm.UP, linkedAtUp, WalkRealm.AUTO, linkedAtAuto));
        return user;
    }

    private static Map<String, String> credential(String type, String secret, boolean slow) {
        return slow
                ? StoredSecret.slowCredential(type, secret, SLOW_ITERATIONS)
                : StoredSecret.credential(type, secret);
    }

    /** Links the accounts of V and A at the providers for which the seed says so. D has none there. */
    @SuppressWarnings("unchecked")
    private static void link(Map<String, Object> user, Map<String, String> subjects) {
        Map<String, Boolean> linked = (Map<String, Boolean>) user.remove("linked");
        String name = (String) user.get("username");
        List<Map<String, String>> identities = new ArrayList<>();
        for (String provider : WalkRealm.PROVIDERS) {
            String subject = subjects.get(provider + " " + name);
            if (linked.get(provider) && subject != null) {
                identities.add(Map.of("identityProvider", provider, "userId", subject, "userName", name));
            }
        }
        user.put("federatedIdentities", identities);
    }

    /** N is new: nobody in the realm of the walks has N's address. */
    private static Map<String, Object> upstreamUser(String provider, String role, String suffix) {
        String name = role.toLowerCase() + suffix;
        return new HashMap<>(Map.of(
                "username",
                name,
                "enabled",
                true,
                "email",
                name + "@example.org",
                "emailVerified",
                true,
                "firstName",
                "Camille",
                "lastName",
                "Moreau",
                "credentials",
                List.of(StoredSecret.credential("password", provider + "-password-" + role)),
                "attributes",
                attributes(methods(provider, role))));
    }

    /** @return what a provider tells of an identity: a PIN gives it the level of {@link WalkRealm#ACR_THERE} */
    static Map<String, List<String>> attributes(Set<String> methods) {
        List<String> acr = methods.contains("pin") ? List.of(WalkRealm.ACR_THERE) : List.of();
        return Map.of("amr", List.copyOf(methods), "acr", acr);
    }

    private static Set<String> methods(String provider, String role) {
        Set<String> methods = new LinkedHashSet<>();
        if (provider.equals(WalkRealm.UP) && role.equals("A")) {
            methods.add("pop");
            methods.add("pin");
        } else {
            methods.add("pwd");
        }
        return methods;
    }

    private static List<Identity> identities(String suffix, Map<String, String> subjects) {
        List<Identity> identities = new ArrayList<>();
        for (String provider : WalkRealm.PROVIDERS) {
            for (String role : List.of("V", "A", "N")) {
                String name = role.toLowerCase() + suffix;
                identities.add(new Identity(
                        provider,
                        name,
                        subjects.get(provider + " " + name),
                        provider + "-password-" + role,
                        methods(provider, role)));
            }
        }
        return identities;
    }

    /** @return the ids of the users by name */
    private static Map<String, String> importUsers(AdminApi admin, List<Map<String, Object>> users) {
        JsonNode result =
                Http.json(admin.send("POST", "/partialImport", Map.of("ifResourceExists", "FAIL", "users", users)));
        Map<String, String> ids = new HashMap<>();
        for (JsonNode made : result.get("results")) {
            ids.put(made.get("resourceName").asText(), made.get("id").asText());
        }
        return ids;
    }
}
