package io.github.checktoken.support.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;

/** A service provider's authorization request, which a test can change before it is sent. */
public final class AuthorizationRequest {

    /** The parameter {@code claims} with which a service provider asks for amr. */
    public static final String AMR = "{\"id_token\":{\"amr\":{\"essential\":true}}}";

    private final String realmUrl;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private String path = "/protocol/openid-connect/auth";

    AuthorizationRequest(String realmUrl, String clientId, String redirectUri) {
        this.realmUrl = realmUrl;
        with("response_type", "code");
        with("client_id", clientId);
        with("redirect_uri", redirectUri);
        with("scope", "openid");
        with("acr_values", "eidas1");
        with("state", UUID.randomUUID().toString());
        with("nonce", UUID.randomUUID().toString());
    }

    public AuthorizationRequest with(String parameter, String value) {
        parameters.put(parameter, value);
        return this;
    }

    public AuthorizationRequest without(String parameter) {
        parameters.remove(parameter);
        return this;
    }

    public AuthorizationRequest askingForAmr() {
        return with("claims", AMR);
    }

    /** Adds a PKCE challenge (RFC 7636). */
    public AuthorizationRequest challenging(CodeVerifier verifier, CodeChallengeMethod method) {
        return with("code_challenge", CodeChallenge.compute(method, verifier).getValue())
                .with("code_challenge_method", method.getValue());
    }

    /** @param path the path of the authorization endpoint, below the realm */
    public AuthorizationRequest at(String path) {
        this.path = path;
        return this;
    }

    public Map<String, String> parameters() {
        return parameters;
    }

    public String url() {
        return realmUrl + path + "?" + Http.encode(parameters);
    }
}
