package io.github.checktoken.demo.pages.town;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.langtag.LangTag;
import com.nimbusds.langtag.LangTagException;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCClaimsRequest;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.ACR;
import com.nimbusds.openid.connect.sdk.claims.ClaimRequirement;
import com.nimbusds.openid.connect.sdk.claims.ClaimsSetRequest;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.github.checktoken.demo.pages.town.SignInFailed.Reason;
import io.github.checktoken.support.client.ServiceProvider;

/** The service provider: signs people in with OpenID Connect, as its library does it, and signs them out. */
public final class TownHall {

    public static final String CALLBACK = "/sp-town/callback";
    public static final String SIGNED_OUT = "/sp-town/";

    private static final int LIMIT_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final String realmUrl;
    private final ClientID clientId;
    private final Secret secret;
    private final URI callback;
    private final URI signedOut;

    /** @param home the address of the pages */
    public TownHall(String realmUrl, ServiceProvider client, String home) {
        this.realmUrl = realmUrl;
        this.clientId = new ClientID(client.clientId());
        this.secret = new Secret(client.secret());
        this.callback = URI.create(home + CALLBACK);
        this.signedOut = URI.create(home + SIGNED_OUT);
    }

    /** @return where the browser has to go to sign in */
    public URI begin(SignInChoice choice, Locale language, PendingSignIns pending) {
        State state = new State();
        PendingSignIns.Pending begun = new PendingSignIns.Pending(new Nonce(), new CodeVerifier(), choice);
        Scope scope = new Scope("openid");
        choice.scopes().forEach(scope::add);
        AuthenticationRequest.Builder request = new AuthenticationRequest.Builder(
                        ResponseType.CODE, scope, clientId, callback)
                .endpointURI(URI.create(realmUrl + "/api/v1/authorize"))
                .state(state)
                .nonce(begun.nonce())
                .codeChallenge(begun.verifier(), CodeChallengeMethod.S256)
                .uiLocales(List.of(tag(language)));
        if (!choice.acr().isEmpty()) {
            request.acrValues(List.of(new ACR(choice.acr())));
        }
        if (choice.amr()) {
            request.claims(new OIDCClaimsRequest()
                    .withIDTokenClaimsRequest(new ClaimsSetRequest()
                            .add(new ClaimsSetRequest.Entry("amr").withClaimRequirement(ClaimRequirement.ESSENTIAL))));
        }
        pending.add(state, begun);
        return request.build().toURI();
    }

    /**
     * Exchanges the code for tokens, and verifies the ID token: signature, issuer, audience, expiry and nonce.
     *
     * @param query the query with which the browser came back
     */
    public SignIn end(String query, PendingSignIns pending) throws SignInFailed {
        AuthenticationResponse response = parse(query);
        PendingSignIns.Pending begun = pending.take(response.getState());
        if (begun == null || otherIssuer(response)) {
            throw new SignInFailed(Reason.UNKNOWN_STATE, "");
        }
        if (!response.indicatesSuccess()) {
            throw new SignInFailed(
                    Reason.ERROR, words(response.toErrorResponse().getErrorObject()));
        }
        OIDCTokenResponse tokens = redeem(response.toSuccessResponse().getAuthorizationCode(), begun.verifier());
        JWT idToken = tokens.getOIDCTokens().getIDToken();
        verify(idToken, begun.nonce());
        AccessToken accessToken = tokens.getOIDCTokens().getAccessToken();
        return new SignIn(
                begun.choice(),
                idToken,
                accessToken.getValue(),
                accessToken.getScope().toStringList(),
                Instant.now().plusSeconds(accessToken.getLifetime()));
    }

    /** @return where the browser has to go to sign out, and that it comes back from there with this state */
    public URI signOut(SignIn signIn, State state) {
        return new LogoutRequest(
                        URI.create(realmUrl + "/protocol/openid-connect/logout"), signIn.idToken(), signedOut, state)
                .toURI();
    }

    private AuthenticationResponse parse(String query) throws SignInFailed {
        try {
            AuthenticationResponse response = AuthenticationResponseParser.parse(URI.create(callback + "?" + query));
            // The library takes an answer without a code for one of the implicit flow.
            if (response.indicatesSuccess() && response.toSuccessResponse().getAuthorizationCode() == null) {
                throw new SignInFailed(Reason.MALFORMED, "");
            }
            return response;
        } catch (ParseException | IllegalArgumentException e) {
            throw new SignInFailed(Reason.MALFORMED, e.getMessage());
        }
    }

    /** RFC 9207: an answer of another server must not be sent to this one's token endpoint. */
    private boolean otherIssuer(AuthenticationResponse response) {
        return response.getIssuer() != null && !response.getIssuer().getValue().equals(realmUrl);
    }

    private OIDCTokenResponse redeem(AuthorizationCode code, CodeVerifier verifier) throws SignInFailed {
        HTTPRequest request = new TokenRequest.Builder(
                        URI.create(realmUrl + "/protocol/openid-connect/token"),
                        new ClientSecretPost(clientId, secret),
                        new AuthorizationCodeGrant(code, callback, verifier))
                .build()
                .toHTTPRequest();
        request.setConnectTimeout(LIMIT_MILLIS);
        request.setReadTimeout(LIMIT_MILLIS);
        try {
            TokenResponse response = OIDCTokenResponseParser.parse(request.send());
            if (response.indicatesSuccess()) {
                return (OIDCTokenResponse) response.toSuccessResponse();
            }
            throw new SignInFailed(
                    Reason.NO_TOKENS, words(response.toErrorResponse().getErrorObject()));
        } catch (IOException | ParseException e) {
            throw new SignInFailed(Reason.NO_TOKENS, e.getMessage());
        }
    }

    private static String words(ErrorObject error) {
        return error.getDescription() == null ? error.getCode() : error.getCode() + ": " + error.getDescription();
    }

    /** The realm chooses the algorithm. Whichever it is, it must have a public key: never none, never a secret. */
    private void verify(JWT idToken, Nonce nonce) throws SignInFailed {
        try {
            JWSVerificationKeySelector<SecurityContext> keys = new JWSVerificationKeySelector<>(
                    new LinkedHashSet<>(JWSAlgorithm.Family.SIGNATURE),
                    JWKSourceBuilder.create(URI.create(realmUrl + "/protocol/openid-connect/certs")
                                    .toURL())
                            .build());
            new IDTokenValidator(new Issuer(realmUrl), clientId, keys, null).validate(idToken, nonce);
        } catch (BadJOSEException | JOSEException | MalformedURLException e) {
            throw new SignInFailed(Reason.INVALID_ID_TOKEN, e.getMessage());
        }
    }

    private static LangTag tag(Locale language) {
        try {
            return new LangTag(language.getLanguage());
        } catch (LangTagException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
