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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
            checkToken.check("case." + testCase.before());
        }
        if (testCase.expect() != null) {
            assertRight(testCase.expect(), checkToken.check(testCase.token()));
        } else {
            CheckTokenException refusal =
                    assertThrows(CheckTokenException.class, () -> checkToken.check(testCase.token()));
            assertTrue(testCase.isReason(refusal.reason().id()), refusal.getMessage());
            assertEquals(503, refusal.reason().status(), "what to answer the service provider");
            assertRevealsNothing(refusal);
        }
        assertEquals(callsElsewhere, platform.callsElsewhere(), "calls of another host");
    }

    private static CheckToken.Builder builder(TestClient client) {
        return TestCheckToken.builder(platform.issuer(), client).timeBudget(Duration.ofMinutes(1));
    }

    private static void assertRight(Map<String, Object> expected, Answer answer) throws Exception {
        assertEquals(expected.get("kind"), answer.toString().toLowerCase(Locale.ROOT));
        if (answer instanceof Answer.Inactive) {
            assertReason(Reason.INACTIVE, answer::person);
            assertReason(Reason.INACTIVE, () -> answer.require("tax_income"));
            return;
        }
        @SuppressWarnings("unchecked")
        List<String> scopes = (List<String>) expected.get("scope");
        assertEquals(new HashSet<>(scopes), answer.scopes());
        scopes.forEach(answer::require);
        for (String scope : List.of("tax", "income", "", "tax_income tax_household")) {
            assertReason(Reason.MISSING_SCOPE, () -> answer.require(scope));
        }
        Answer checked = assertBound(expected.get("cnf"), answer);
        if (answer instanceof Answer.Machine) {
            assertReason(Reason.NOT_A_PERSON, answer::person);
        } else if (checked.unchecked().isEmpty()) {
            Map<String, Object> claims = checked.person().claims();
            if (expected.get("claims") instanceof Map<?, ?> some) {
                some.forEach((name, value) -> assertEquals(value, claims.get(name)));
            }
        }
    }

    /** @return an answer in which all is checked that can be */
    private static Answer assertBound(Object cnf, Answer answer) throws Exception {
        if (cnf == null) {
            assertEquals(Set.of(), answer.unchecked());
            assertReason(Reason.WRONG_BINDING, () -> answer.requireDpop(thumbprint()));
            assertReason(Reason.WRONG_BINDING, () -> answer.requireCertificate(certificate()));
            return answer;
        }
        Set<?> names = ((Map<?, ?>) cnf).keySet();
        assertEquals(names, answer.unchecked());
        assertNotReadable(answer);
        Answer checked = answer;
        if (names.contains("jkt")) {
            assertReason(
                    Reason.WRONG_BINDING, () -> answer.requireDpop(thumbprint().replace('H', 'h')));
            checked = checked.requireDpop(thumbprint());
            assertNotReadable(answer);
        }
        if (names.contains("x5t#S256")) {
            if (names.size() > 1) {
                assertNotReadable(checked);
            }
            checked = checked.requireCertificate(certificate());
        }
        assertEquals(names.contains("example") ? Set.of("example") : Set.of(), checked.unchecked());
        return checked;
    }

    private static void assertNotReadable(Answer answer) {
        if (answer instanceof Answer.Person person) {
            assertReason(Reason.BINDING_NOT_CHECKED, answer::person);
            assertReason(Reason.BINDING_NOT_CHECKED, person::sub);
            assertReason(Reason.BINDING_NOT_CHECKED, person::claims);
        } else {
            assertReason(Reason.BINDING_NOT_CHECKED, ((Answer.Machine) answer)::claims);
        }
    }

    private static void assertReason(Reason reason, Executable call) {
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
