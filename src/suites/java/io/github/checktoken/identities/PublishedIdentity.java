package io.github.checktoken.identities;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.realm.DemoPerson;

/**
 * A person of FranceConnect's public test data (github.com/france-connect/identity-provider-example): what they are
 * called, when and where they were born. Some have no name, and some a birthplace that is none.
 *
 * @param number in the file, from 1
 * @param members without empty values, by the names of the contract
 */
record PublishedIdentity(int number, Map<String, String> members) {

    static List<PublishedIdentity> all() {
        List<String> lines = read().lines().toList();
        String[] names = lines.get(0).split(",");
        List<PublishedIdentity> identities = new ArrayList<>();
        for (int line = 1; line < lines.size(); line++) {
            String[] values = lines.get(line).split(",", -1);
            Map<String, String> members = new LinkedHashMap<>();
            for (int i = 0; i < names.length; i++) {
                if (!values[i].isEmpty()) {
                    members.put(names[i], values[i]);
                }
            }
            identities.add(new PublishedIdentity(line, members));
        }
        return identities;
    }

    private static String read() {
        try (InputStream file = PublishedIdentity.class.getResourceAsStream("/test-identities.csv")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String username(String entered) {
        return entered + "-" + number;
    }

    /** @return a user in the format of the admin API */
    Map<String, Object> user(String entered) {
        Map<String, List<String>> attributes = new LinkedHashMap<>();
        for (String name : List.of("gender", "birthdate", "birthplace", "birthcountry")) {
            if (members.containsKey(name)) {
                attributes.put(name, List.of(members.get(name)));
            }
        }
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("username", username(entered));
        user.put("enabled", true);
        user.put("firstName", members.getOrDefault("given_name", ""));
        user.put("lastName", members.getOrDefault("family_name", ""));
        user.put("email", username(entered) + "@example.org");
        user.put("emailVerified", true);
        user.put("attributes", attributes);
        user.put("credentials", List.of(DemoPerson.PASSWORD));
        return user;
    }
}
