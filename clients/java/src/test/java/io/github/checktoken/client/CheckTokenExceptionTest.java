package io.github.checktoken.client;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.testkit.MockPlatform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CheckTokenExceptionTest {

    private static final Set<String> REASONS =
            ResourceBundle.getBundle("io.github.checktoken.client.reasons").keySet().stream()
                    .filter(name -> !name.startsWith("status-") && !name.startsWith("settings-"))
                    .collect(Collectors.toSet());

    @Test
    void reasonsAreThoseOfTheTestKitAndOurOwn() {
        Set<String> known = new TreeSet<>(TestCheckToken.KIT.reasons());
        known.addAll(List.of("configuration", "no-token", "inactive", "machine", "not-proven", "insufficient-scope"));
        assertEquals(known, new TreeSet<>(REASONS));
    }

    @Test
    void theServiceProviderIsToBlameOnlyForItsToken() {
        assertEquals(
                Set.of("no-token", "inactive", "machine", "not-proven"),
                REASONS.stream()
                        .filter(reason -> new CheckTokenException(reason, "").status() == 401)
                        .collect(Collectors.toSet()));
        assertEquals(403, new CheckTokenException("insufficient-scope", "").status());
    }

    @Test
    void tooManyCallsAreNoMatterOfTheJwkSet() {
        assertMessage(
                "unavailable: The platform cannot answer now. Try again later; if it lasts, tell its administrator. "
                        + "There were too many calls or guesses, for the platform or a proxy: wait as Retry-After "
                        + "says. (status-429)",
                () -> CheckTokenException.unlessOk(429, ""));
        assertMessage(
                "unavailable: The platform cannot answer now. Try again later; if it lasts, tell its administrator. "
                        + "(status-502)",
                () -> CheckTokenException.unlessOk(502, ""));
        assertMessage(
                "platform-error: The platform answered with an unexpected status. Tell its administrator. (status-418)",
                () -> CheckTokenException.unlessOk(418, ""));
    }

    @Test
    void wrongSettingsSayWhatToCorrect() {
        for (String realm : List.of("http://login.example.org/realms/a", "login.example.org/realms/a")) {
            assertWrong(
                    "The realm, and the address to connect to, must be https (http only to this machine).",
                    () -> CheckToken.builder(realm, "dp"));
        }
        CheckToken.Builder builder = CheckToken.builder("https://login.example.org/realms/a", "dp");
        RSAKey key = (RSAKey) TestCheckToken.KIT.key("data-provider-RSA");
        RSAKey withoutAlg = new RSAKey.Builder(key).algorithm(null).build();
        String alg = "A private key has no alg: add the agreed one, such as RSA-OAEP-256.";
        String isPublic = "A key is public, or no JWK: give the private JWK.";
        assertWrong(alg, () -> builder.decryptionKeys(withoutAlg));
        assertWrong(alg, () -> builder.privateKeyJwt(withoutAlg));
        assertWrong(isPublic, () -> builder.decryptionKeys(key.toPublicJWK()));
        assertWrong(isPublic, () -> builder.privateKeyJwt(key.toPublicJWK()));
        assertWrong("Give a client_id, a private key, and one way to authenticate.", builder::build);
    }

    @Test
    void twoWaysToAuthenticateOrToTrustAreAnErrorInAnyOrder() throws Exception {
        RSAKey key =
                (RSAKey) TestCheckToken.privateKey(TestCheckToken.KIT.clients().get(0));
        String one = "Give a client_id, a private key, and one way to authenticate.";
        SSLContext context = SSLContext.getInstance("TLS");
        assertWrong(one, () -> builder(key).secret("s").certificate(context).build());
        assertWrong(one, () -> builder(key).certificate(context).secret("s").build());
        assertWrong(one, () -> builder(key).privateKeyJwt(key).secret("s").build());
        String trust = "Give one of certificate, trust store and transport, and a transport that follows no redirects.";
        KeyStore store = KeyStore.getInstance("PKCS12");
        HttpClient transport = HttpClient.newHttpClient();
        assertWrong(trust, () -> builder(key).trust(store).certificate(context).build());
        assertWrong(
                trust,
                () -> builder(key).secret("s").trust(store).transport(transport).build());
        assertWrong(
                trust,
                () -> builder(key)
                        .secret("s")
                        .transport(HttpClient.newBuilder()
                                .followRedirects(HttpClient.Redirect.ALWAYS)
                                .build())
                        .build());
    }

    @Test
    void whatIsBuiltDoesNotChangeWithTheBuilder() throws Exception {
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            CheckToken.Builder builder = TestCheckToken.builder(
                    platform.issuer(), TestCheckToken.KIT.clients().get(0));
            CheckToken right = builder.build();
            CheckToken wrong = builder.secret("wrong")
                    .signature("RS256")
                    .timeBudget(Duration.ZERO)
                    .build();
            right.check(TestCheckToken.KIT.token("active"))
                    .require("tax_income")
                    .person();
            assertThrows(CheckTokenException.class, () -> wrong.check(TestCheckToken.KIT.token("active")));
            right.check(TestCheckToken.KIT.token("active"))
                    .require("tax_income")
                    .person();
        }
    }

    private static CheckToken.Builder builder(JWK key) {
        return CheckToken.builder("https://login.example.org/realms/a", "dp").decryptionKeys(key);
    }

    private static void assertWrong(String detail, Executable call) {
        assertMessage("configuration: Correct your settings. " + detail, call);
    }

    private static void assertMessage(String message, Executable call) {
        assertEquals(message, assertThrows(CheckTokenException.class, call).getMessage());
    }

    @Test
    void eachErrorSaysWhatToDo() {
        for (String reason : REASONS) {
            String message = new CheckTokenException(reason, "").getMessage();
            assertTrue(message.startsWith(reason + ": ") && message.endsWith("."), message);
        }
    }
}
