package io.github.checktoken.introspection.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import org.keycloak.events.Details;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.clientpolicy.ClientPolicyException;

import io.github.checktoken.introspection.dataprovider.AnswerPreflight;
import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.dataprovider.DisclosedData;
import io.github.checktoken.introspection.jose.AnswerEncrypter;
import io.github.checktoken.introspection.jose.AnswerSigner;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.introspection.outage.UserStoreAccess;
import io.github.checktoken.introspection.outage.UserStoreUnavailableException;
import io.github.checktoken.introspection.secretguess.SecretGuessLimit;
import io.github.checktoken.introspection.token.AccessTokenValidator;
import io.github.checktoken.introspection.token.ActiveToken;
import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.keycloak.TokenIntrospectContextFactory;
import io.github.checktoken.text.SingleLineText;

/**
 * Builds one answer, from the form to the nested JWT: request, data provider, token, answer, signed, encrypted. The
 * caller, the settings and the keys are checked before the token, so that an error reveals nothing about the token.
 */
record IntrospectionResponseBuilder(
        KeycloakSession session, CheckTokenEventBuilder event, SecretGuessLimit guessLimit) {

    /** @return a JWE in compact serialization around a JWS (RFC 9701 section 5) */
    String build() throws CheckTokenException {
        requireHttpsAndEnabledRealm();
        CheckTokenRequest request = CheckTokenRequest.of(session);
        ClientModel client = new ClientAuthentication(session, event, guessLimit).authenticate(request);
        DataProvider dataProvider = DataProvider.of(client)
                .orElseThrow(() -> new CheckTokenException(
                        CheckTokenError.NOT_A_DATA_PROVIDER,
                        client.isPublicClient()
                                ? "a public client"
                                : "no Data provider mapper on the client or on a default client scope"));
        event.countFor(client);
        enforceClientPolicies(client, request);
        AnswerSigner signer = signer(dataProvider);
        AnswerEncrypter encrypter = encrypter(dataProvider);

        event.beginTokenCheck();
        String answer = encrypter.encrypt(
                signer.sign(payload(session, client, introspection(request, dataProvider))),
                dataProvider.config().contentAlgorithm());
        event.recordAnswer();
        return answer;
    }

    /** Keycloak's own introspection endpoint checks the same two conditions first. */
    private void requireHttpsAndEnabledRealm() throws CheckTokenException {
        KeycloakContext context = session.getContext();
        boolean https = "https".equals(context.getUri().getBaseUri().getScheme());
        if (!https && context.getRealm().getSslRequired().isRequired(context.getConnection())) {
            throw new CheckTokenException(CheckTokenError.HTTPS_REQUIRED, "HTTPS required");
        }
        if (!context.getRealm().isEnabled()) {
            throw new CheckTokenException(CheckTokenError.REALM_DISABLED, "realm disabled");
        }
    }

    /** As Keycloak's own introspection endpoint does. */
    private void enforceClientPolicies(ClientModel client, CheckTokenRequest request) throws CheckTokenException {
        try {
            session.clientPolicy().triggerOnEvent(TokenIntrospectContextFactory.create(client, request.form()));
        } catch (ClientPolicyException e) {
            throw new CheckTokenException(
                    CheckTokenError.INVALID_REQUEST, "client policy: " + SingleLineText.of(e.getErrorDetail()));
        }
    }

    private AnswerSigner signer(DataProvider dataProvider) throws CheckTokenException {
        AnswerPreflight preflight = new AnswerPreflight(session, dataProvider.config());
        if (!preflight.problems().isEmpty()) {
            throw new CheckTokenException(
                    CheckTokenError.SERVER_ERROR, preflight.problems().get(0).reason());
        }
        return preflight.signer();
    }

    private AnswerEncrypter encrypter(DataProvider dataProvider) throws CheckTokenException {
        String algorithm = dataProvider.config().keyAlgorithm();
        EncryptionKeyProvider keys = session.getProvider(EncryptionKeyProvider.class);
        return keys.find(dataProvider.client(), algorithm)
                .orElseThrow(() -> new CheckTokenException(
                        CheckTokenError.NO_ENCRYPTION_KEY,
                        "no usable encryption key for " + algorithm,
                        algorithm,
                        keys.failure(dataProvider.client(), algorithm)));
    }

    private Map<String, Object> introspection(CheckTokenRequest request, DataProvider dataProvider)
            throws CheckTokenException {
        try {
            return new AccessTokenValidator(session, event, dataProvider.client())
                    .check(request.token())
                    .map(active -> disclose(active, dataProvider))
                    .orElseGet(TokenIntrospectionClaim::inactive);
        } catch (UserStoreUnavailableException e) {
            throw new CheckTokenException(CheckTokenError.USER_STORE_UNAVAILABLE, e.getMessage());
        }
    }

    private Map<String, Object> disclose(ActiveToken active, DataProvider dataProvider) {
        DisclosedData disclosure = new UserStoreAccess(session)
                .map(
                        active.userSession().getUser(),
                        () -> dataProvider.disclose(session, active.scope(), active.userSession()));
        event.detail(Details.SCOPE, disclosure.scope());
        return TokenIntrospectionClaim.active(
                active, disclosure, dataProvider.config().disclosesAuthTime());
    }

    /** RFC 9701 section 5: no top-level sub or exp, so that an answer is never accepted as an access token. */
    static Map<String, Object> payload(KeycloakSession session, ClientModel client, Map<String, Object> introspection) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("token_introspection", introspection);
        payload.put("iss", CheckTokenIssuer.of(session));
        payload.put("aud", client.getClientId());
        payload.put("iat", CurrentTime.seconds());
        return payload;
    }
}
