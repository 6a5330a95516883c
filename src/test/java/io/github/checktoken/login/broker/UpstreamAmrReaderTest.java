package io.github.checktoken.login.broker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.models.IdentityProviderMapperModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class UpstreamAmrReaderTest {

    private final Map<String, String> settings = new HashMap<>();

    @Test
    void knownMethodsAreTakenOver() {
        assertEquals(Set.of("pwd", "geo"), read(List.of("pwd", "geo")));
    }

    @Test
    void twoCategoriesAreMultiFactor() {
        assertEquals(Set.of("pwd", "otp", "mfa"), read(List.of("pwd", "otp")));
    }

    @ParameterizedTest
    @CsvSource({"false, ''", "'', ''", "true, mfa"})
    void mfaWithoutTwoCategoriesCountsWhereItIsTrusted(String trust, String mfa) {
        settings.put(AmrIdentityProviderConfig.TRUST_MFA, trust);
        assertEquals(mfa.isEmpty() ? Set.of("pwd") : Set.of("pwd", mfa), read(List.of("pwd", "mfa")));
    }

    @Test
    void methodsThatAreNotKnownAreLeftOut() {
        assertEquals(Set.of("pwd"), read(List.of("pwd", "xyz", "PWD", " otp", "")));
    }

    @Test
    void singleStringIsAListOfOne() {
        assertEquals(Set.of("pwd"), read("pwd"));
    }

    @Test
    void defaultIsForNoClaimAndForAnEmptyOne() {
        settings.put(AmrIdentityProviderConfig.DEFAULT, "pwd##geo");
        assertEquals(Set.of("pwd", "geo"), read(null));
        assertEquals(Set.of("pwd", "geo"), read(List.of()));
    }

    @Test
    void defaultIsNotForAClaimOfWhichNothingCounts() {
        settings.put(AmrIdentityProviderConfig.DEFAULT, "pwd");
        assertEquals(Set.of(), read(List.of("xyz")));
        assertEquals(Set.of(), read(Map.of("pwd", true)));
    }

    @Test
    void nothingIsTheDefault() {
        assertEquals(Set.of(), read(null));
    }

    @Test
    void whatIsNoStringIsCutOff() {
        assertEquals(Set.of("pwd"), read(Arrays.asList(1, null, true, List.of("otp"), Map.of("otp", "otp"), "pwd")));
    }

    @Test
    void whatIsTooLongIsCutOff() {
        String longest = "x".repeat(UpstreamAmrReader.MAX_VALUE_LENGTH);
        settings.put(
                AmrIdentityProviderConfig.MAPPING,
                "[{\"key\":\"%s\",\"value\":\"pwd\"},{\"key\":\"%sx\",\"value\":\"otp\"}]".formatted(longest, longest));
        assertEquals(Set.of("pwd"), read(List.of(longest, longest + "x")));
    }

    @Test
    void whatIsTooManyIsCutOff() {
        List<String> values = new ArrayList<>(Collections.nCopies(UpstreamAmrReader.MAX_VALUES - 1, "geo"));
        values.addAll(List.of("pwd", "otp"));
        assertEquals(Set.of("geo", "pwd"), read(values));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pwd##geo", "pwd geo", "pwd, geo", " pwd ## geo "})
    void onlyWhatIsAcceptedIsTakenOver(String accepted) {
        settings.put(AmrIdentityProviderConfig.ACCEPTED, accepted);
        assertEquals(Set.of("pwd", "geo"), read(List.of("pwd", "otp", "geo")));
    }

    @Test
    void nothingIsTakenOverWhereNothingIsAccepted() {
        settings.put(AmrIdentityProviderConfig.ACCEPTED, "");
        assertEquals(Set.of(), read(List.of("pwd")));
    }

    @Test
    void mappingComesBeforeTheAllowList() {
        settings.put(AmrIdentityProviderConfig.ACCEPTED, "pwd##otp");
        settings.put(
                AmrIdentityProviderConfig.MAPPING,
                "[{\"key\":\"password\",\"value\":\"pwd\"},{\"key\":\"token\",\"value\":\"otp\"},"
                        + "{\"key\":\"pwd\",\"value\":\"geo\"}]");
        assertEquals(Set.of("pwd", "otp", "mfa"), read(List.of("password", "token", "pwd")));
    }

    @Test
    void valueMayBeMappedToSeveral() {
        settings.put(
                AmrIdentityProviderConfig.MAPPING,
                "[{\"key\":\"card\",\"value\":\"sc\"},{\"key\":\"card\",\"value\":\"pin\"}]");
        assertEquals(Set.of("sc", "pin", "mfa"), read(List.of("card")));
    }

    @Test
    void mfaByAnotherNameIsNoMoreTrusted() {
        settings.put(AmrIdentityProviderConfig.MAPPING, "[{\"key\":\"strong\",\"value\":\"mfa\"}]");
        settings.put(AmrIdentityProviderConfig.DEFAULT, "pwd##mfa");
        assertEquals(Set.of(), read(List.of("strong")));
        assertEquals(Set.of("pwd"), read(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{", "{}", "7", "[7]", "[{\"key\":null,\"value\":null}]", "[{\"key\":\"pwd\"}]"})
    void brokenMappingGivesNoMethod(String mapping) {
        settings.put(AmrIdentityProviderConfig.MAPPING, mapping);
        assertEquals(Set.of("geo"), read(List.of("geo")));
    }

    @ParameterizedTest
    @CsvSource({
        "amr.default, pwd##xyz",
        "amr.accepted.values, PWD",
        "amr.mapping, [",
        "amr.mapping, {}",
        "amr.mapping, '[{\"key\":\"a\",\"value\":\"xyz\"}]'",
        "amr.mapping, '[{\"key\":\"a\"}]'"
    })
    void settingThatHoldsWhatIsNotKnownIsNamed(String setting, String value) {
        settings.put(setting, value);
        assertEquals(Set.of(setting), new AmrIdentityProviderConfig(mapper()).invalidSettings());
    }

    @Test
    void settingsInOrderAreNoProblem() {
        settings.put(AmrIdentityProviderConfig.DEFAULT, "pwd");
        settings.put(AmrIdentityProviderConfig.ACCEPTED, String.join("##", AmrIdentityProviderConfig.KNOWN));
        settings.put(AmrIdentityProviderConfig.MAPPING, "[{\"key\":\"password\",\"value\":\"pwd\"}]");
        assertEquals(Set.of(), new AmrIdentityProviderConfig(mapper()).invalidSettings());
    }

    private Set<String> read(Object amr) {
        return new UpstreamAmrReader("provider", mapper()).fromAmr(amr).values();
    }

    private IdentityProviderMapperModel mapper() {
        IdentityProviderMapperModel mapper = new IdentityProviderMapperModel();
        mapper.setName("amr");
        mapper.setConfig(settings);
        return mapper;
    }
}
