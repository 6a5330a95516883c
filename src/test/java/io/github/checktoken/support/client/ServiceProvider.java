package io.github.checktoken.support.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;

/** A service provider: a confidential OpenID Connect client with the authorization code flow. */
public final class ServiceProvider {

    private final KeycloakServer server;
    private final String realmUrl;
    private final String secureRealmUrl;
    private final String clientId;
    private final String secret;
    private final String redirectUri;
    private ECKey possessedKey;
    private HttpClient certified;

    public ServiceProvider(KeycloakServer server, String realm, String clientId, String secret, String redirectUri) {
        this.server = server;
        this.realmUrl = server.realmUrl(realm).toString();
        this.secureRealmUrl = server.secureUrl() + "/realms/" + realm;
        this.clientId = clientId;
        this.secret = secret;
        this.redirectUri = redirectUri;
        LogSearch.add("client secret", secret);
    }

    public String clientId() {
        return clientId;
    }

    public String secret() {
        return secret;
    }

    /** A person signs in with a password in a new browser. */
    public Tokens signIn(String username, String scope) {
        return signIn(new Browser(server), username, scope);
    }

    /** The same in a browser that may have a session already; the form is filled in only where one is shown. */
    public Tokens signIn(Browser browser, String username, String scope) {
        return signIn(browser, username, request().with("scope", scope));
    }

    /** @param path of the authorization endpoint, below the realm */
    public String authorizationUrl(String path, String scope) {
        return request().at(path).with("scope", scope).url();
    }

    /** A new authorization request of this client. */
    public AuthorizationRequest request() {
        return new AuthorizationRequest(realmUrl, clientId, redirectUri);
    }

    /** The same in a browser that may have a session already; the form is filled in only where one is shown. */
    public Tokens signIn(Browser browser, String username, AuthorizationRequest request) {
        return redeem(open(browser, username, request));
    }

    /** Up to the redirect to this service provider. */
    public HttpResponse<String> open(Browser browser, String username, AuthorizationRequest request) {
        HttpResponse<String> response = browser.get(request.url());
        return response.statusCode() == 200
                ? browser.submit(response, Map.of("username", username, "password", "demo-password"))
                : response;
    }

    /** Exchanges the code in the redirect to this service provider for tokens. */
    public Tokens redeem(HttpResponse<String> redirect) {
        return redeem(redirect, Map.of());
    }

    /** @param further parameters of the token request */
    public Tokens redeem(HttpResponse<String> redirect, Map<String, String> further) {
        return redeem(location(redirect), further);
    }

    /** @param location where the redirect goes */
    public Tokens redeem(String location) {
        return redeem(location, Map.of());
    }

    private Tokens redeem(String location, Map<String, String> further) {
        Map<String, String> form = new LinkedHashMap<>(further);
        form.put("grant_type", "authorization_code");
        form.put("code", code(location));
        form.put("redirect_uri", redirectUri);
        return token(form);
    }

    /** The code in the redirect to this service provider. */
    public static String code(HttpResponse<String> redirect) {
        return code(location(redirect));
    }

    private static String location(HttpResponse<String> redirect) {
        return redirect.headers()
                .firstValue("Location")
                .orElseThrow(() -> new AssertionError("No redirect: " + redirect.statusCode() + " " + redirect.body()));
    }

    private static String code(String location) {
        return Arrays.stream(URI.create(location).getRawQuery().split("&"))
                .filter(parameter -> parameter.startsWith("code="))
                .map(parameter -> parameter.substring("code=".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No code in " + location));
    }

    public Tokens refresh(Tokens tokens) {
        return token(Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken()));
    }

    /** Any grant at the token endpoint, as this client. */
    public Tokens token(Map<String, String> parameters) {
        JsonNode response = Http.json(post("/protocol/openid-connect/token", parameters));
        return new Tokens(
                response.path("access_token").asText(null),
                response.path("refresh_token").asText(null),
                response.path("id_token").asText(null));
    }

    public void revoke(String token) {
        Http.json(post("/protocol/openid-connect/revoke", Map.of("token", token)));
    }

    public void logOut(Tokens tokens) {
        post("/protocol/openid-connect/logout", Map.of("refresh_token", tokens.refreshToken()));
    }

    /** A form to an endpoint of the realm, with this client's credentials. */
    public HttpResponse<String> post(String path, Map<String, String> parameters) {
        Map<String, String> form = new LinkedHashMap<>(parameters);
        form.put("client_id", clientId);
        form.put("client_secret", secret);
        if (certified != null) {
            return Http.send(certified, Http.form(secureRealmUrl + path, form));
        }
        HttpRequest.Builder request = Http.form(realmUrl + path, form);
        if (possessedKey != null) {
            request.header("DPoP", proof(realmUrl + path));
        }
        return Http.send(request);
    }

    /** Calls the realm's endpoints over TLS with a certificate of its own (RFC 8705). The sign-in stays in the browser. */
    public ServiceProvider presenting(HttpClient certificate) {
        certified = certificate;
        return this;
    }

    /** Binds its tokens to a key of its own (RFC 9449). */
    public ServiceProvider provingPossession() {
        try {
            possessedKey = new ECKeyGenerator(Curve.P_256).generate();
            return this;
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private String proof(String url) {
        JWSObject proof = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(new JOSEObjectType("dpop+jwt"))
                        .jwk(possessedKey.toPublicJWK())
                        .build(),
                new Payload(Map.of(
                        "jti",
                        UUID.randomUUID().toString(),
                        "htm",
                        "POST",
                        "htu",
                        url,
                        "iat",
                        System.currentTimeMillis() / 1000)));
        try {
            proof.sign(new ECDSASigner(possessedKey));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return proof.serialize();
    }
}
