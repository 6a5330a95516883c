package io.github.checktoken.login.amr;

import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.keycloak.models.ProtocolMapperModel;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.fuzz.Fuzz;
import io.github.checktoken.fuzz.FuzzTarget;
import io.github.checktoken.fuzz.HostileInput;
import io.github.checktoken.login.evidence.AuthenticationMethod;
import io.github.checktoken.login.evidence.JsonNote;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("fuzz")
class AmrFuzzTest {

    private static final Set<String> USED = Set.of("pwd", "otp", "mfa", "mail");

    @Test
    void claimsAskForAmrOnlyWhereAnotherParserReadsSo() {
        Fuzz.check(
                FuzzTarget.CLAIMS,
                AmrFuzzTest::claims,
                input -> assertTrue(
                        AmrClaimRequest.parse(input.get(0)) != AmrClaimRequest.ESSENTIAL || isEssential(input.get(0)),
                        "another JSON parser finds no essential request for amr"));
    }

    @Test
    void mapperReleasesWhatWasUsedAndWhatIsConstantOnly() {
        Fuzz.check(
                FuzzTarget.AMR_SETTINGS,
                hostile -> List.of(setting(hostile), setting(hostile), hostile.text("true", "false")),
                input -> {
                    RequestedAmrConfig config = config(input);
                    List<String> released = config.amrValues(USED);
                    assertEquals(Set.copyOf(released).size(), released.size(), "a value is released twice");
                    for (String value : released) {
                        assertTrue(
                                USED.contains(value) || value.equals("fc") || isNoMethod(value),
                                "this method was not used: " + value);
                        assertTrue(value.matches("[!-~]{1,64}"), "this is not a printable ASCII word: " + value);
                    }
                    assertEquals(input.get(2).equalsIgnoreCase("true"), config.releasesAmr(AmrClaimRequest.VOLUNTARY));
                    assertTrue(config.problem().isEmpty()
                            || input.contains("")
                            || !config.problem().get().value().isEmpty());
                });
    }

    @Test
    void noteThatCannotBeReadIsNoRequest() {
        Fuzz.check(
                FuzzTarget.NOTES,
                hostile -> List.of(
                        hostile.oneIn(3)
                                ? hostile.mutated("{\"asked\":\"ESSENTIAL\",\"methods\":{\"uses\":[{\"amr\":\"pwd\","
                                        + "\"mfa\":false,\"time\":1700000000,\"max\":-1}]}}")
                                : hostile.json("asked", "methods", "uses", "amr", "mfa", "time", "max", "ESSENTIAL")),
                input -> {
                    Optional<RecordedLogin> request = JsonNote.read(input.get(0), RecordedLogin.class);
                    assertTrue(
                            request.isEmpty() || input.get(0).contains("{"), "a note without a JSON object was read");
                });
    }

    private static List<String> claims(HostileInput hostile) {
        String valid = "{\"id_token\":{\"amr\":{\"essential\":true}}}";
        return List.of(
                switch (hostile.below(4)) {
                    case 0 -> hostile.mutated(valid);
                    case 1 -> "{\"id_token\":{\"amr\":{\"essential\":" + hostile.json("true", "essential") + "}}}";
                    case 2 -> hostile.text("id_token", "amr", "essential", "true", valid);
                    default -> hostile.json("id_token", "amr", "essential", "userinfo", "true");
                });
    }

    private static boolean isEssential(String claims) {
        try {
            return JSONObjectUtils.parse(claims).get("id_token") instanceof Map<?, ?> idToken
                    && idToken.get("amr") instanceof Map<?, ?> amr
                    && Boolean.TRUE.equals(amr.get("essential"));
        } catch (ParseException e) {
            return false;
        }
    }

    private static String setting(HostileInput hostile) {
        return hostile.text("##", "pwd", "mfa", "fc", "otp", "pin", "geo", "mail", "own");
    }

    private static RequestedAmrConfig config(List<String> input) {
        Map<String, String> settings = new HashMap<>();
        settings.put(RequestedAmrConfig.RELEASED, input.get(0));
        settings.put(RequestedAmrConfig.CONSTANT, input.get(1));
        settings.put(RequestedAmrConfig.VOLUNTARY, input.get(2));
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setConfig(settings);
        return new RequestedAmrConfig(mapper);
    }

    private static boolean isNoMethod(String value) {
        return !value.equals("mfa") && AuthenticationMethod.of(value).isEmpty();
    }
}
