package io.github.checktoken.introspection.token;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.common.util.Base64Url;
import org.keycloak.crypto.SignatureProvider;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.jose.jws.JWSHeader;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.AccessTokenIntrospectionProvider;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;
import org.keycloak.protocol.oidc.encode.TokenContextEncoderProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.ErrorResponseException;
import org.keycloak.services.util.UserSessionUtil.UserSessionValidationResult;
import org.keycloak.util.JsonSerialization;
import org.keycloak.util.TokenUtil;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import io.github.checktoken.introspection.outage.UserStoreAccess;

/**
 * Checks whether an access token is active for a data provider, with Keycloak's own checks and these differences:
 *
 * <ul>
 *   <li>The data provider need not be in the audience, unless the audience names other data providers:
 *       {@link AudienceCheck}.
 *   <li>A token that the realm signed but that is not an access token (an ID token, a logout token) is rejected.
 *   <li>A token without {@code iat}, {@code exp} or {@code jti}, or that has a claim twice, is rejected.
 *   <li>A token of an impersonated session is rejected, because somebody else acts as the user.
 *   <li>A token of another person than the session's user is rejected: {@link SubjectCheck}.
 *   <li>A token without a session is rejected, unless it is a service account's, or of the JWT authorization grant and
 *       its user is the one of the grant.
 * </ul>
 *
 * <p>Each rejection is recorded in the event with its reason, and is never an exception.
 */
public final class AccessTokenValidator extends AccessTokenIntrospectionProvider<AccessToken> {

    private static final List<String> ACCESS_TOKEN_TYPES =
            List.of(TokenUtil.TOKEN_TYPE_BEARER, TokenUtil.TOKEN_TYPE_DPOP);

    private static final String NOT_AN_ACCESS_TOKEN = "Not an access token";

    private static final ObjectReader STRICT =
            JsonSerialization.mapper.readerFor(JsonNode.class).with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private final ClientModel caller;

    private AccessToken transformed;

    /** @param caller the data provider. The client in Keycloak's context may be another one during the check. */
    public AccessTokenValidator(KeycloakSession session, EventBuilder event, ClientModel caller) {
        super(session);
        this.eventBuilder = event;
        this.caller = caller;
    }

    /** @return the token with its acr and session; empty if it is not active, for whatever reason */
    public Optional<ActiveToken> check(String encoded) {
        try {
            return introspectionChecks(encoded)
                            && verifyUserWithoutSession()
                            && verifyNotImpersonated()
                            && verifySubject()
                            && verifyMeantForCaller()
                    ? Optional.of(new ActiveToken(token, acr(), userSession))
                    : Optional.empty();
        } catch (ErrorResponseException e) {
            // While it runs the mappers, Keycloak 26.7 rejects a token whose organization the user has left.
            reject(e.getErrorDescription());
            return Optional.empty();
        }
    }

    @Override
    protected boolean verifyToken(String encoded) {
        if (!hasKnownAlgorithm(encoded)) {
            return reject(NOT_AN_ACCESS_TOKEN);
        }
        return super.verifyToken(encoded)
                && (isAccessToken(token) || reject(NOT_AN_ACCESS_TOKEN))
                && (hasEachClaimOnce(encoded) || reject("Has a claim twice"));
    }

    /**
     * RFC 7519 section 4. Keycloak reads the last of two claims, and a mapper can add one that Keycloak has set itself,
     * for example {@code sid}.
     */
    private static boolean hasEachClaimOnce(String encoded) {
        try {
            STRICT.readTree(Base64Url.decode(encoded.split("\\.")[1]));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Keycloak's verifier, which checks the signature afterwards, fails with a NullPointerException if a JWT has no
     * header or no {@code alg}, and on 26.5 also if it does not know the {@code alg}.
     */
    private boolean hasKnownAlgorithm(String encoded) {
        int end = encoded.indexOf('.');
        if (end < 0) {
            return false;
        }
        try {
            JWSHeader header =
                    JsonSerialization.readValue(Base64Url.decode(encoded.substring(0, end)), JWSHeader.class);
            return header != null
                    && header.getAlgorithm() != null
                    && session.getProvider(
                                    SignatureProvider.class,
                                    header.getAlgorithm().name())
                            != null;
        } catch (IOException | RuntimeException e) {
            // Keycloak's decoder also throws unchecked exceptions, for example for "=".
            return false;
        }
    }

    private boolean isAccessToken(AccessToken token) {
        return hasRequiredClaims(token) && ACCESS_TOKEN_TYPES.contains(String.valueOf(token.getType()));
    }

    /**
     * Keycloak accepts a token without {@code exp}, or with 0, as one that never expires. Its checks fail with an
     * exception if {@code iat} or a readable {@code jti} is missing.
     */
    private boolean hasRequiredClaims(AccessToken token) {
        return token.getIat() != null && token.getExp() != null && token.getExp() != 0 && isReadableId(token.getId());
    }

    private boolean isReadableId(String tokenId) {
        try {
            return tokenId != null
                    && session.getProvider(TokenContextEncoderProvider.class).getTokenContextFromTokenId(tokenId)
                            != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Keycloak runs the service provider's mappers here. Only two kinds of token need that: a lightweight token, to
     * compute the {@code acr} and the audience that it does not contain, and a token with an organization, which
     * Keycloak 26.7 checks here. The result is kept, because 26.7 calls this method among its checks and this class calls
     * it again. On 26.5 only this class calls it.
     */
    @Override
    public AccessToken transformAccessToken(AccessToken token, UserSessionModel userSession) {
        if (transformed == null) {
            boolean needed = token.getAcr() == null
                    || isLightweight()
                    || token.getOtherClaims().containsKey(OAuth2Constants.ORGANIZATION);
            transformed = needed
                    ? new UserStoreAccess(session).map(() -> super.transformAccessToken(token, userSession))
                    : token;
        }
        return transformed;
    }

    /** Keycloak would take a person whose store is away for a disabled one. */
    @Override
    protected UserSessionValidationResult verifyUserSession() {
        UserStoreAccess stores = new UserStoreAccess(session);
        return stores.lookUp(() -> {
            UserSessionValidationResult result = super.verifyUserSession();
            if (result.getUserSession() != null) {
                eventBuilder.user(result.getUserSession().getUser());
                stores.requireReal(result.getUserSession().getUser());
            }
            return result;
        });
    }

    /** Also checks the realm's not-before, which Keycloak 26.5 leaves out. */
    @Override
    protected boolean verifyClient() {
        return super.verifyClient()
                && (token.getIat() >= realm.getNotBefore() || reject("Issued before the realm's not-before"));
    }

    /**
     * RFC 9701 section 4: its registration decides what a resource server may learn, see DataProvider. Keycloak 26.5 does
     * not call this, so {@link #verifyMeantForCaller} is a check of its own.
     */
    @Override
    protected boolean verifyAudience() {
        return true;
    }

    /** A lightweight token need not contain the audience that the service provider's mappers give. */
    private boolean verifyMeantForCaller() {
        AudienceCheck check = new AudienceCheck(session, caller);
        AccessToken addressed = isLightweight() && !check.namesDataProvider(token.getAudience())
                ? transformAccessToken(token, userSession)
                : token;
        return check.rejection(addressed.getAudience()).map(this::reject).orElse(true);
    }

    /**
     * Keycloak finds the user of a token without a session by claims that the service provider's mappers can set. So
     * such a token is accepted only for a service account, or for the user of whom the identity provider's assertion was
     * (RFC 7523).
     */
    private boolean verifyUserWithoutSession() {
        if (token.getSessionId() != null) {
            return true;
        }
        if (OAuth2Constants.JWT_AUTHORIZATION_GRANT.equals(context().getGrantType())) {
            return new GrantedUserStore(session).isUser(token.getId(), user.getId())
                    || reject("Without a session, and its user is not the one of the grant");
        }
        return user.getServiceAccountClientLink() != null || reject("Without a session, and not a service account");
    }

    private boolean verifySubject() {
        return token.getSessionId() == null
                || new SubjectCheck(session, client).accepts(token, userSession)
                || reject("Its subject is not the session's user");
    }

    private boolean isLightweight() {
        return context().getTokenType() == TokenType.LIGHTWEIGHT;
    }

    /** Read from the token's id, which no mapper can set. */
    private AccessTokenContext context() {
        return session.getProvider(TokenContextEncoderProvider.class).getTokenContextFromTokenId(token.getId());
    }

    private boolean verifyNotImpersonated() {
        return !ImpersonationCheck.isImpersonated(userSession) || reject("Impersonated session");
    }

    /** Null for a service account: Keycloak's mapper reads a missing level as 1, as if a user had signed in. */
    private String acr() {
        return user.getServiceAccountClientLink() != null
                ? null
                : RecordedLevel.of(context(), userSession.getAuthenticatedClientSessionByClient(client.getId()))
                        .flatMap(this::acr)
                        .orElse(null);
    }

    /** The token's own claim first: what Keycloak computes for a lightweight token is the level of its last login. */
    private Optional<String> acr(int recorded) {
        String own = token.getAcr();
        return Optional.ofNullable(
                        own != null
                                ? own
                                : transformAccessToken(token, userSession).getAcr())
                .flatMap(acr -> new RealmAcr(client).of(acr, recorded));
    }

    /** @return always false */
    private boolean reject(String reason) {
        eventBuilder.detail(Details.REASON, reason);
        eventBuilder.error(Errors.INVALID_TOKEN);
        return false;
    }
}
