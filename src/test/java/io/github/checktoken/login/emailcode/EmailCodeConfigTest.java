package io.github.checktoken.login.emailcode;

import java.util.Map;

import org.keycloak.models.AuthenticatorConfigModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class EmailCodeConfigTest {

    @Test
    void withoutSettingsEverythingIsAsTheGuideSays() {
        assertIsStandard(EmailCodeConfig.of(null));
        assertIsStandard(EmailCodeConfig.of(new AuthenticatorConfigModel()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-1", "0x9", "9999", "99999999999999999999", "six", "6.0", "٦", "1e1"})
    void settingThatIsNoNumberOrOutOfRangeCountsAsTheDefault(String value) {
        assertIsStandard(config(Map.of(
                "length",
                value,
                "lifespan",
                value,
                "maxAttempts",
                value,
                "resendWait",
                value,
                "maxCodesPerHour",
                value)));
    }

    @ParameterizedTest
    @CsvSource({"5,6", "6,6", "10,10", "11,6"})
    void lengthIsFromSixToTen(String value, int length) {
        assertEquals(length, config(Map.of("length", value)).length());
    }

    @ParameterizedTest
    @CsvSource({"0,300", "1,1", "900,900", "901,300"})
    void lifespanIsAtMostAQuarterOfAnHour(String value, int lifespan) {
        assertEquals(lifespan, config(Map.of("lifespan", value)).lifespan());
    }

    @ParameterizedTest
    @CsvSource({"0,3", "1,1", "10,10", "11,3"})
    void triesAreAtMostTen(String value, int tries) {
        assertEquals(tries, config(Map.of("maxAttempts", value)).maxAttempts());
    }

    @ParameterizedTest
    @CsvSource({"0,0", "300,300", "301,30"})
    void waitIsAtMostFiveMinutes(String value, int wait) {
        assertEquals(wait, config(Map.of("resendWait", value)).resendWait());
    }

    @ParameterizedTest
    @CsvSource({"0,10", "1,1", "30,30", "31,10"})
    void codesAreAtMostThirtyAnHour(String value, int codes) {
        assertEquals(codes, config(Map.of("maxCodesPerHour", value)).maxCodesPerHour());
    }

    private static void assertIsStandard(EmailCodeConfig config) {
        assertEquals(6, config.length());
        assertEquals(300, config.lifespan());
        assertEquals(3, config.maxAttempts());
        assertEquals(30, config.resendWait());
        assertEquals(10, config.maxCodesPerHour());
    }

    private static EmailCodeConfig config(Map<String, String> settings) {
        AuthenticatorConfigModel model = new AuthenticatorConfigModel();
        model.setConfig(settings);
        return EmailCodeConfig.of(model);
    }
}
