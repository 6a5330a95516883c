package io.github.checktoken.login.evidence;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AuthenticationMethodsTest {

    /** Repeats the categories independently of the code, so a value that changes its category must change here too. */
    private static final Map<String, String> CATEGORIES = Map.of(
            "knowledge", "pwd pin kba",
            "possession", "pop hwk swk otp sms tel sc",
            "inherence", "face fpt iris retina vbm",
            "", "mail user geo rba wia mca fc");

    static Stream<Arguments> pairs() {
        return values().flatMap(first -> values().map(second -> Arguments.of(first, second, areTwo(first, second))));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void mfaIsTwoDifferentCategories(String first, String second, boolean mfa) {
        assertEquals(mfa, of(use(first), use(second)).values().contains("mfa"));
    }

    @Test
    void everyValueHasItsCategory() {
        assertEquals(
                values().collect(Collectors.toSet()),
                Arrays.stream(AuthenticationMethod.values())
                        .map(AuthenticationMethod::value)
                        .collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mfa", "badge", "PWD", ""})
    void valueThatIsNoMethodCountsInNoCategory(String value) {
        assertFalse(of(use("pwd"), use(value)).values().contains("mfa"));
    }

    @Test
    void useThatProvedTwoCategoriesIsMfa() {
        assertEquals(
                Set.of("pop", "mfa"),
                of(new AuthenticationMethodUse("pop", true, 0, -1)).values());
    }

    @Test
    void trustedMfaIsTold() {
        assertEquals(
                Set.of("pwd", "mfa"),
                of(use("pwd"), new AuthenticationMethodUse("mfa", true, 0, -1)).values());
    }

    @Test
    void mfaThatNobodyVouchesForIsNotTold() {
        assertEquals(Set.of("pwd"), of(use("pwd"), use("mfa")).values());
    }

    @Test
    void useCountsUntilItsMaxAge() {
        AuthenticationMethods methods = of(
                new AuthenticationMethodUse("pwd", false, 1_000, -1),
                new AuthenticationMethodUse("otp", false, 1_000, 60));
        assertEquals(Set.of("pwd", "otp", "mfa"), methods.validAt(1_060).values());
        assertEquals(Set.of("pwd"), methods.validAt(1_061).values());
        assertEquals(Set.of("pwd"), methods.validAt(Long.MAX_VALUE).values());
    }

    @Test
    void useInTheSecondFromWhichUsesCountIsOneOfThem() {
        AuthenticationMethods methods = of(new AuthenticationMethodUse("pwd", false, 1_000, -1));
        assertEquals(methods, methods.usedSince(1_000));
        assertEquals(AuthenticationMethods.NONE, methods.usedSince(1_001));
    }

    @Test
    void laterUseTakesThePlaceOfAnEarlierOneOfItsKind() {
        AuthenticationMethodUse earlier = new AuthenticationMethodUse("otp", false, 1_000, 60);
        AuthenticationMethodUse later = new AuthenticationMethodUse("otp", false, 2_000, 60);
        assertEquals(of(use("pwd"), later), of(earlier, use("pwd")).plus(of(later)));
    }

    @Test
    void securityKeyTakesNothingFromAPasskeyWithUserVerification() {
        AuthenticationMethods methods =
                of(new AuthenticationMethodUse("pop", true, 0, -1)).plus(of(use("pop")));
        assertTrue(methods.values().contains("mfa"));
    }

    private static Stream<String> values() {
        return CATEGORIES.values().stream().flatMap(values -> Stream.of(values.split(" ")));
    }

    private static boolean areTwo(String first, String second) {
        String one = category(first);
        String other = category(second);
        return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
    }

    private static String category(String value) {
        return CATEGORIES.entrySet().stream()
                .filter(category -> List.of(category.getValue().split(" ")).contains(value))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static AuthenticationMethods of(AuthenticationMethodUse... uses) {
        return new AuthenticationMethods(List.of(uses));
    }

    @Test
    void referenceAloneDoesNotMakeASecondFactor() {
        assertEquals(
                Set.of("sms", "pin"),
                of(use("sms", "password"), use("pin", "pin")).values());
        assertEquals(
                Set.of("sc", "otp"),
                of(use("sc", "password"), use("otp", "otp")).values());
        assertEquals(
                Set.of("kba", "otp", "mfa"),
                of(use("kba", "password"), use("otp", "otp")).values());
    }

    @Test
    void credentialIdentifiesTheUserWhateverTheReference() {
        assertTrue(of(use("an-administrators-own", "password")).identifiesUser());
        assertFalse(of(use("an-administrators-own")).identifiesUser());
    }

    @Test
    void sameReferenceForTwoCredentialsIsTwoUses() {
        assertEquals(
                2,
                of(use("badge", "password"))
                        .plus(of(use("badge", "otp")))
                        .uses()
                        .size());
    }

    private static AuthenticationMethodUse use(String method, String credential) {
        return new AuthenticationMethodUse(
                method, false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION, credential);
    }

    private static AuthenticationMethodUse use(String method) {
        return new AuthenticationMethodUse(method, false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION);
    }
}
