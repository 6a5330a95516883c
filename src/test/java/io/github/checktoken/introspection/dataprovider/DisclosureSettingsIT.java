package io.github.checktoken.introspection.dataprovider;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the settings with which a data provider learns less, or when the person signed in. */
@ExtendWith(KeycloakExtension.class)
class DisclosureSettingsIT {

    private final Federation federation;

    DisclosureSettingsIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void withoutOneOfItsScopesItLearnsNothingAboutThePersonIfTheSettingIsOn() {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .optionalScopes("tax_income")
                .setting("identity.requires.scope", "true")
                .create();

        Map<String, Object> without = introspect(dataProvider, signIn("openid health_rights"));
        assertEquals(true, without.get("active"));
        assertEquals("", without.get("scope"));
        assertFalse(without.containsKey("sub"));
        assertFalse(without.containsKey("family_name"));

        Map<String, Object> with = introspect(dataProvider, signIn("openid tax_income"));
        assertNotNull(with.get("sub"));
        assertEquals("Moreau", with.get("family_name"));
    }

    @Test
    void timeOfTheLoginIsToldOnlyIfTheSettingIsOn() {
        Tokens tokens = signIn("openid tax_income");
        DataProviderClient told = federation
                .newDataProvider()
                .setting("auth.time.disclosed", "true")
                .telling("auth_time")
                .create();

        assertEquals(authTime(tokens), ((Number) introspect(told, tokens).get("auth_time")).longValue());
        assertFalse(introspect(federation.tax(), tokens).containsKey("auth_time"));
    }

    @Test
    void timeOfALaterLoginIsNotToldOfAnEarlierToken() throws InterruptedException {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .setting("auth.time.disclosed", "true")
                .telling("auth_time")
                .create();
        Browser browser = new Browser(federation.server());
        Tokens earlier = federation.town().signIn(browser, "camille", "openid");
        long first = authTime(earlier);
        while (Instant.now().getEpochSecond() == first) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        Tokens later = federation
                .bank()
                .signIn(browser, "camille", federation.bank().request().with("prompt", "login"));
        assertTrue(authTime(later) > first);
        Tokens refreshed = federation.town().refresh(earlier);

        assertEquals(authTime(later), ((Number) introspect(dataProvider, later).get("auth_time")).longValue());
        assertEquals(first, ((Number) introspect(dataProvider, earlier).get("auth_time")).longValue());
        assertEquals(first, ((Number) introspect(dataProvider, refreshed).get("auth_time")).longValue());
    }

    private static long authTime(Tokens tokens) {
        return Tokens.claims(tokens.idToken()).get("auth_time").asLong();
    }

    private Tokens signIn(String scope) {
        return federation.town().signIn("camille", scope);
    }

    private static Map<String, Object> introspect(DataProviderClient dataProvider, Tokens tokens) {
        return dataProvider.check(tokens.accessToken()).introspection();
    }
}
