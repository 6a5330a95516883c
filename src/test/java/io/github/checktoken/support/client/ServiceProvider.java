package io.github.checktoken.support.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.dpop.DPoPProofFactory;
import com.nimbusds.oauth2.sdk.dpop.DefaultDPoPProofFactory;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.util.MultivaluedMapUtils;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.AuthenticationSuccessResponse;
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
    private DPoPProofFactory proofs;
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

    /** Signs a person in with the password, in a new browser. */
    public Tokens signIn(String username, String scope) {
        return signIn(new Browser(server), username, scope);
    }

    /** Signs in with a browser that may already have a session. The form is filled in only if one is shown. */
    public Tokens signIn(Browser browser, String username, String scope) {
        return signIn(browser, username, request().with("scope", scope));
    }

    /** @param path the path of the authorization endpoint, below the realm */
    public String authorizationUrl(String path, String scope) {
        return request().at(path).with("scope", scope).url();
    }

    /** @return a new authorization request of this client */
    public AuthorizationRequest request() {
        return new AuthorizationRequest(realmUrl, clientId, redirectUri);
    }

    /** Signs in with a browser that may already have a session. The form is filled in only if one is shown. */
    public Tokens signIn(Browser browser, String username, AuthorizationRequest request) {
        return redeem(open(browser, username, request));
    }

    /** @return the response to the login, which is normally the redirect to this service provider */
    public HttpResponse<String> open(Browser browser, String username, AuthorizationRequest request) {
        HttpResponse<String> response = browser.get(request.url());
        return response.statusCode() == 200 ? browser.givePassword(response, username) : response;
    }

    /** Exchanges the code in the redirect to this service provider for tokens. */
    public Tokens redeem(HttpResponse<String> redirect) {
        return redeem(location(redirect));
    }

    /** Exchanges the code after a request with PKCE. */
    public Tokens redeem(HttpResponse<String> redirect, CodeVerifier verifier) {
        return redeem(location(redirect), verifier);
    }

    /** @param location the address of the redirect */
    public Tokens redeem(String location) {
        return redeem(location, null);
    }

    /** Exchanges the code after a request with PKCE; without a verifier, after one without it. */
    public Tokens redeem(String location, CodeVerifier verifier) {
        return token(MultivaluedMapUtils.toSingleValuedMap(
                new AuthorizationCodeGrant(answer(location).getAuthorizationCode(), URI.create(redirectUri), verifier)
                        .toParameters()));
    }

    /** @return the code in the redirect to this service provider */
    public static String code(HttpResponse<String> redirect) {
        return answer(location(redirect)).getAuthorizationCode().getValue();
    }

    /**
     * Reads the answer in a redirect to a service provider.
     *
     * @param location the address of the redirect
     */
    public static AuthenticationSuccessResponse answer(String location) {
        try {
            AuthenticationResponse response = AuthenticationResponseParser.parse(URI.create(location));
            if (response.indicatesSuccess()) {
                return response.toSuccessResponse();
            }
        } catch (ParseException e) {
            throw new AssertionError("No answer to a client: " + location, e);
        }
        throw new AssertionError("No code and no token in " + location);
    }

    private static String location(HttpResponse<String> redirect) {
        return redirect.headers()
                .firstValue("Location")
                .orElseThrow(() -> new AssertionError("No redirect: " + redirect.statusCode() + " " + redirect.body()));
    }

    public Tokens refresh(Tokens tokens) {
        return token(Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken()));
    }

    /** Requests tokens with any grant, as this client. */
    public Tokens token(Map<String, String> parameters) {
        return Tokens.of(Http.json(post("/protocol/openid-connect/token", parameters)));
    }

    public void revoke(String token) {
        Http.json(post("/protocol/openid-connect/revoke", Map.of("token", token)));
    }

    public void logOut(Tokens tokens) {
        post("/protocol/openid-connect/logout", Map.of("refresh_token", tokens.refreshToken()));
    }

    /** Posts a form to an endpoint of the realm, with this client's credentials. */
    public HttpResponse<String> post(String path, Map<String, String> parameters) {
        return postWithProofFor(path, path, parameters);
    }

    /** @param proven the path for which the proof of possession is, if there is one */
    public HttpResponse<String> postWithProofFor(String proven, String path, Map<String, String> parameters) {
        Map<String, String> form = new LinkedHashMap<>(parameters);
        form.put("client_id", clientId);
        form.put("client_secret", secret);
        if (certified != null) {
            return Http.send(certified, Http.form(secureRealmUrl + path, form));
        }
        HttpRequest.Builder request = Http.form(realmUrl + path, form);
        if (proofs != null) {
            request.header("DPoP", proof(realmUrl + proven));
        }
        return Http.send(request);
    }

    /**
     * From now on, calls endpoints of the realm over TLS with this certificate (RFC 8705). The browser does not use it.
     */
    public ServiceProvider presenting(HttpClient certificate) {
        certified = certificate;
        return this;
    }

    /** From now on, binds the tokens to a new key (RFC 9449). */
    public ServiceProvider provingPossession() {
        try {
            proofs = new DefaultDPoPProofFactory(new ECKeyGenerator(Curve.P_256).generate(), JWSAlgorithm.ES256);
            return this;
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private String proof(String url) {
        try {
            return proofs.createDPoPJWT("POST", URI.create(url)).serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
