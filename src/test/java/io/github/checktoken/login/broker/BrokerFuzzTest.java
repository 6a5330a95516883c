package io.github.checktoken.login.broker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.keycloak.models.IdentityProviderMapperModel;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.checktoken.fuzz.Fuzz;
import io.github.checktoken.fuzz.FuzzTarget;
import io.github.checktoken.fuzz.HostileInput;
import io.github.checktoken.login.evidence.AuthenticationMethod;
import io.github.checktoken.login.evidence.AuthenticationMethod.Factor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("fuzz")
class BrokerFuzzTest {

    private static final String[] METHODS = {"pwd", "otp", "mfa", "pin", "fpt", "mail", "geo"};

    /**
     * The reader logs a warning if it leaves values out, which happens in nearly every case here. The field keeps the
     * logger from being garbage collected, which would reset its level.
     */
    private static final Logger WARNINGS = Logger.getLogger("io.github.checktoken.login.broker");

    static {
        WARNINGS.setLevel(Level.OFF);
    }

    @Test
    void providerIsBelievedForKnownAndAcceptedMethodsOnly() {
        Fuzz.check(FuzzTarget.UPSTREAM_AMR, BrokerFuzzTest::input, input -> {
            IdentityProviderMapperModel mapper = mapper(input);
            Set<String> told = new UpstreamAmrReader("provider", mapper)
                    .fromAmr(claim(input.get(0)))
                    .values();
            for (String value : told) {
                assertTrue(AmrIdentityProviderConfig.KNOWN.contains(value), "this method is not known: " + value);
                assertTrue(
                        value.equals("mfa")
                                || input.get(1).contains(value)
                                || input.get(2).contains(value),
                        "this method is not accepted: " + value);
            }
            boolean trusted = input.get(4).equalsIgnoreCase("true");
            assertTrue(
                    !told.contains("mfa") || trusted || categories(told) > 1,
                    "mfa, although all methods are of one category");
        });
    }

    private static List<String> input(HostileInput hostile) {
        String list = "[\"pwd\",\"otp\"]";
        String mapping = "[{\"key\":\"card\",\"value\":\"sc\"},{\"key\":\"x\",\"value\":\"pin\"}]";
        return List.of(
                hostile.oneIn(3) ? hostile.mutated(list) : hostile.json(METHODS),
                hostile.text("##", ",", "pwd", "otp", "mfa", "sc"),
                hostile.text("##", " ", "pwd", "otp", "mfa", "pin", "sc"),
                hostile.oneIn(2) ? hostile.mutated(mapping) : hostile.json("key", "value", "card", "pin", "mfa"),
                hostile.text("true", "false"));
    }

    /** @return the claim as a token has it: a tree of Java's own classes, or the text itself if it is not JSON */
    private static Object claim(String json) {
        try {
            return JsonSerialization.mapper.readValue(json, Object.class);
        } catch (JsonProcessingException e) {
            return json;
        }
    }

    private static IdentityProviderMapperModel mapper(List<String> input) {
        Map<String, String> settings = new HashMap<>();
        settings.put(AmrIdentityProviderConfig.DEFAULT, input.get(1));
        settings.put(AmrIdentityProviderConfig.ACCEPTED, input.get(2));
        settings.put(AmrIdentityProviderConfig.MAPPING, input.get(3));
        settings.put(AmrIdentityProviderConfig.TRUST_MFA, input.get(4));
        IdentityProviderMapperModel mapper = new IdentityProviderMapperModel();
        mapper.setConfig(settings);
        return mapper;
    }

    private static long categories(Set<String> methods) {
        return methods.stream()
                .flatMap(method -> AuthenticationMethod.of(method).stream())
                .map(AuthenticationMethod::factor)
                .filter(factor -> factor != Factor.NONE)
                .distinct()
                .count();
    }
}
