package io.github.checktoken.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestCase;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each case of the test kit, for each client for which it means something. */
class CasesTest {

    /** What no message may contain. */
    private static final List<String> SECRETS =
            List.of("published-for-tests-only", "case.", "Moreau", "1988-03-14", "da87b1dd", "tax_income", "eyJ");

    private static final Map<TestClient, CheckToken> RUNNING = new ConcurrentHashMap<>();

    private static MockPlatform platform;

    @BeforeAll
    static void startPlatform() throws IOException {
        platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0);
    }

    @AfterAll
    static void stopPlatform() {
        platform.close();
    }

    @TestFactory
    Stream<DynamicTest> eachCaseForEachClient() {
        return KIT.clients().stream()
                .flatMap(client -> KIT.cases().stream()
                        .filter(testCase ->
                                testCase.client() == null || testCase.client().equals(client.clientId()))
                        .map(testCase -> DynamicTest.dynamicTest(
                                testCase + " for " + client.clientId(), () -> tryCase(testCase, client))));
    }

    private static void tryCase(TestCase testCase, TestClient client) throws Exception {
        int callsElsewhere = platform.callsElsewhere();
        CheckToken checkToken = "timeout".equals(testCase.reason())
                ? builder(client).timeBudget(Duration.ofMillis(700)).build()
                : RUNNING.computeIfAbsent(client, one -> builder(one).build());
        if (testCase.before() != null) {
            checkToken.check(KIT.token(testCase.before()));
        }
        if (testCase.expect() != null) {
            assertRight(testCase, checkToken);
        } else {
            CheckTokenException refusal =
                    assertThrows(CheckTokenException.class, () -> checkToken.check(testCase.token()));
            assertTrue(testCase.isReason(refusal.reason()), refusal.getMessage());
            assertEquals(503, refusal.status(), "what to answer the service provider");
            assertRevealsNothing(refusal);
            assertTrue(refusal.getMessage().matches("[ -~]+"), refusal.getMessage());
            String says = testCase.says() == null ? "" : " (status-503: " + testCase.says() + ")";
            assertTrue(refusal.getMessage().endsWith(says), refusal.getMessage());
        }
        assertEquals(callsElsewhere, platform.callsElsewhere(), "calls of another host");
    }

    private static CheckToken.Builder builder(TestClient client) {
        return TestCheckToken.builder(platform.issuer(), client).timeBudget(Duration.ofMinutes(1));
    }

    private static void assertRight(TestCase testCase, CheckToken checkToken) throws Exception {
        Map<String, Object> expected = testCase.expect();
        String token = testCase.token();
        Map<?, ?> cnf = (Map<?, ?>) expected.get("cnf");
        Answer answer = cnf == null ? checkToken.check(token) : assertBound(cnf, token, checkToken);
        SECRETS.forEach(secret -> assertFalse(answer.toString().contains(secret), secret));
        if (expected.get("kind").equals("inactive")) {
            assertEquals(Map.of("active", false), answer.unchecked());
            assertReason("inactive", () -> answer.require("tax_income"));
            return;
        }
        if (cnf != null && cnf.containsKey("example")) {
            return;
        }
        @SuppressWarnings("unchecked")
        List<String> scopes = (List<String>) expected.get("scope");
        for (String scope : List.of("tax", "income", "", " ", "tax_income tax_household")) {
            assertReason("insufficient-scope", () -> answer.require(scope));
            assertReason("insufficient-scope", () -> answer.require("tax_income", scope));
        }
        if (scopes.isEmpty()) {
            assertReason("insufficient-scope", () -> answer.require("tax_income"));
            return;
        }
        Answer.Access access = answer.require(scopes.get(0), scopes.toArray(String[]::new));
        assertEquals("sp-town", access.clientId());
        if (expected.get("kind").equals("machine")) {
            assertReason("machine", access::person);
            return;
        }
        Answer.Person person = access.person();
        SECRETS.forEach(secret -> assertFalse((access + " " + person).contains(secret), secret));
        assertFalse(person.identity().containsKey("cnf") || person.identity().containsKey("scope"));
        if (expected.get("claims") instanceof Map<?, ?> some) {
            some.forEach((name, value) -> assertEquals(
                    value, name.equals("sub") ? person.sub() : person.identity().get(name)));
        }
    }

    /** @return an answer for a request that proves all that can be proved */
    private static Answer assertBound(Map<?, ?> cnf, String token, CheckToken checkToken) throws Exception {
        String jkt = cnf.containsKey("jkt") ? thumbprint() : null;
        X509Certificate certificate = cnf.containsKey("x5t#S256") ? certificate() : null;
        assertNotProven(checkToken.check(token));
        assertNotProven(checkToken.check(token, thumbprint().replace('H', 'h'), certificate));
        if (jkt != null && certificate != null) {
            assertNotProven(checkToken.check(token, jkt, null));
            assertNotProven(checkToken.check(token, null, certificate));
        }
        if (jkt == null) {
            assertNotProven(checkToken.check(token, thumbprint(), certificate()));
        }
        if (certificate == null) {
            assertNotProven(checkToken.check(token, null, certificate()));
        }
        Answer answer = checkToken.check(token, jkt, certificate);
        if (cnf.containsKey("example")) {
            assertNotProven(answer);
        }
        return answer;
    }

    private static void assertNotProven(Answer answer) {
        assertReason("not-proven", () -> answer.require("tax_income"));
    }

    private static void assertReason(String reason, Executable call) {
        CheckTokenException refusal = assertThrows(CheckTokenException.class, call);
        assertEquals(reason, refusal.reason());
        assertRevealsNothing(refusal);
    }

    private static void assertRevealsNothing(CheckTokenException refusal) {
        StringWriter text = new StringWriter();
        refusal.printStackTrace(new PrintWriter(text));
        SECRETS.forEach(secret -> assertFalse(text.toString().contains(secret), secret));
    }

    private static JWK serviceProvider() {
        return KIT.key("service-provider");
    }

    private static String thumbprint() throws JOSEException {
        return serviceProvider().computeThumbprint().toString();
    }

    private static X509Certificate certificate() throws CertificateException {
        byte[] der = Base64.getDecoder()
                .decode(serviceProvider().getX509CertChain().get(0).toString());
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }
}
