package io.github.checktoken.login.gate.honest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.StoredSecret;

/**
 * Somebody who signs in with what is the person's own. The account at the identity provider has the same name, address
 * and password.
 */
public final class HonestPerson {

    private final String name;
    private volatile String password;

    HonestPerson(String name) {
        this.name = name;
        this.password = "password-of-" + name;
    }

    public String name() {
        return name;
    }

    String address() {
        return name + "@example.org";
    }

    String password() {
        return password;
    }

    /** From now on, the person uses another password in the realm. */
    String choosePassword() {
        password = "new-password-of-" + name;
        return password;
    }

    String passwordAtTheProvider() {
        return "password-of-" + name;
    }

    String pin() {
        return "274918";
    }

    String newPin() {
        return "518306";
    }

    private String otpSecret() {
        return "secret-of-" + name;
    }

    String otp() {
        return Totp.code(otpSecret());
    }

    /** Creates the account. */
    HonestPerson in(HonestRealm realm, boolean otp, boolean pin, String... requiredActions) {
        List<Map<String, String>> credentials = new ArrayList<>();
        credentials.add(StoredSecret.credential("password", password()));
        if (otp) {
            credentials.add(Totp.credential(otpSecret()));
        }
        if (pin) {
            credentials.add(StoredSecret.credential("pin", pin()));
        }
        create(realm.admin(), credentials, requiredActions);
        return this;
    }

    /** Creates the account at the identity provider. */
    HonestPerson atTheProviderOf(HonestRealm realm) {
        create(realm.upstream(), List.of(StoredSecret.credential("password", password())));
        return this;
    }

    /** Links the two accounts. */
    HonestPerson linked(HonestRealm realm, String provider) {
        String subject = realm.upstream().user(name).substring("/users/".length());
        realm.admin()
                .post(
                        realm.admin().user(name) + "/federated-identity/" + provider,
                        Map.of("userId", subject, "userName", name));
        return this;
    }

    private void create(AdminApi admin, List<Map<String, String>> credentials, String... requiredActions) {
        Map<String, Object> user = new HashMap<>();
        user.put("username", name);
        user.put("enabled", true);
        user.put("email", address());
        user.put("emailVerified", requiredActions.length == 0);
        user.put("firstName", "Camille");
        user.put("lastName", "Moreau");
        user.put("credentials", credentials);
        user.put("requiredActions", List.of(requiredActions));
        admin.create("/users", user);
    }
}
