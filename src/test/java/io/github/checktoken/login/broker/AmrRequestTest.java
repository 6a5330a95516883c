package io.github.checktoken.login.broker;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.keycloak.models.IdentityProviderModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AmrRequestTest {

    private static final String REQUEST = "https://idp.example/auth?response_type=code&client_id=our%20id&state=a%2Bb";

    @Test
    void redirectWithTheClientIdOfTheProviderIsTheRequest() {
        assertTrue(isTo("our id", REQUEST));
        assertTrue(isTo("our id", REQUEST.replace("%20", "+")));
    }

    @Test
    void endOfALoginIsNoRequest() {
        assertFalse(isTo("our id", "https://sp.example/callback?code=x&state=y"));
        assertFalse(isTo("our id", "https://idp.example/login-actions/post-broker-login?client_id=our%20id"));
        assertFalse(isTo("our id", REQUEST.replace("our", "other")));
        assertFalse(isTo(null, REQUEST));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "| {'id_token':{'amr':{'essential':true}}}",
                "{'userinfo':{'email':null}} | {'userinfo':{'email':null},'id_token':{'amr':{'essential':true}}}",
                "{'id_token':{'acr':null}} | {'id_token':{'acr':null,'amr':{'essential':true}}}",
                "{'id_token':{'amr':null}} | {'id_token':{'amr':{'essential':true}}}",
                "{'id_token':{'amr':{'values':['pwd']}}} | {'id_token':{'amr':{'values':['pwd'],'essential':true}}}",
                "no JSON | {'id_token':{'amr':{'essential':true}}}",
                "[1] | {'id_token':{'amr':{'essential':true}}}",
            })
    void askingAddsToWhatIsAsked(String claims, String expected) {
        String before = claims == null ? "" : "&claims=" + encode(claims.replace('\'', '"'));
        String asking = AmrRequest.askingForAmr(URI.create(REQUEST + before)).toString();
        String[] parts = asking.split("&claims=");
        assertEquals(REQUEST, parts[0]);
        assertEquals(expected.replace('\'', '"'), URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static boolean isTo(String clientId, String location) {
        IdentityProviderModel provider = new IdentityProviderModel();
        provider.setConfig(clientId == null ? Map.of() : Map.of("clientId", clientId));
        return AmrRequest.isTo(provider, URI.create(location));
    }
}
