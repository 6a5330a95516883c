package io.github.checktoken.introspection.admin;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.admin.DataProviderStatus.Key;
import io.github.checktoken.introspection.admin.DataProviderStatus.Source;
import io.github.checktoken.introspection.dataprovider.AnswerCounts;
import io.github.checktoken.introspection.dataprovider.AnswerPreflight;
import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.dataprovider.DataProviderConfig;
import io.github.checktoken.introspection.dataprovider.OmittedClaims;
import io.github.checktoken.introspection.keys.ClientJwks;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyStatus;

/**
 * Checks the client, the settings and the keys of one data provider, as a call does before it checks the token. It also
 * warns about client scopes that tell the data provider more than identity data, and about claims that were left out.
 */
final class DataProviderInspection {

    private final KeycloakSession session;
    private final Properties messages;
    private final DataProvider dataProvider;
    private final DataProviderConfig config;
    private final long deadline;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final RegistrationReview review;

    /**
     * @param messages the Admin Console's texts in the administrator's language
     * @param deadline how long to wait for its encryption key at most, as a value of {@link System#nanoTime()}
     */
    DataProviderInspection(KeycloakSession session, Properties messages, DataProvider dataProvider, long deadline) {
        this.deadline = deadline;
        this.session = session;
        this.messages = messages;
        this.dataProvider = dataProvider;
        this.config = dataProvider.config();
        this.review = new RegistrationReview(session, dataProvider, (text, value) -> warnings.add(text(text, value)));
    }

    DataProviderStatus status() {
        ClientModel client = dataProvider.client();
        if (!client.isEnabled()) {
            problem("checktokenDisabled");
        }
        if (client.isPublicClient()) {
            problem("checktokenPublic");
        }
        new AnswerPreflight(session, config)
                .problems()
                .forEach(it -> problem(it.message(), it.parameters().toArray()));
        Key key = key();
        review.reviewDisclosure();
        review.reviewSecret();
        dataProvider
                .broadDefaultScopes(session)
                .forEach(scope -> problem("checktokenBroadScope", scope.name(), String.join(", ", scope.claims())));
        OmittedClaims.of(session)
                .of(client)
                .forEach(omission -> problem("checktokenOmittedClaim", omission.claim(), omission.reason()));
        return new DataProviderStatus(
                client.getClientId(),
                client.isEnabled(),
                client.getClientScopes(false).keySet().stream().sorted().toList(),
                config.signatureAlgorithm(),
                config.keyAlgorithm(),
                config.contentAlgorithm(),
                key,
                AnswerCounts.of(session).of(client),
                List.copyOf(problems),
                List.copyOf(warnings));
    }

    private Key key() {
        Optional<ClientJwks> jwks = ClientJwks.of(dataProvider.client());
        if (jwks.isEmpty()) {
            problem("checktokenNoJwks");
            return new Key(Source.NONE, null, false, null);
        }
        return config.isKeyAlgorithmSupported() ? loaded(jwks.get()) : key(jwks.get(), Optional.empty());
    }

    private Key loaded(ClientJwks jwks) {
        String algorithm = config.keyAlgorithm();
        EncryptionKeyStatus status = session.getProvider(EncryptionKeyProvider.class)
                .status(dataProvider.client(), jwks, algorithm, deadline);
        Optional<KeyWrapper> key = status.key();
        String failure = status.failure().orElse("");
        // Without a failure no load has ended yet: this one waits for those of other data providers.
        if (key.isEmpty() && (status.loading() || failure.isEmpty())) {
            problem("checktokenLoadingKey", algorithm);
        } else if (key.isEmpty()) {
            problem("checktokenNoKey", algorithm, failure);
        } else if (!failure.isEmpty()) {
            problem("checktokenStaleKey", failure);
        }
        return key(jwks, key);
    }

    private Key key(ClientJwks jwks, Optional<KeyWrapper> key) {
        review.reviewKey(jwks.url(), key);
        return new Key(
                jwks.url().isPresent() ? Source.JWKS_URL : Source.JWKS,
                jwks.url().orElse(null),
                key.isPresent(),
                key.map(KeyWrapper::getKid).orElse(null));
    }

    private void problem(String message, Object... parameters) {
        problems.add(text(message, parameters));
    }

    /** @param message a key of the Admin Console's texts; shown itself if there is no text for it */
    private String text(String message, Object... parameters) {
        return MessageFormat.format(messages.getProperty(message, message), parameters);
    }
}
