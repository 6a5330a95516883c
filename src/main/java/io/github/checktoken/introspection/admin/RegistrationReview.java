package io.github.checktoken.introspection.admin;

import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.models.ClientModel;
import org.keycloak.models.ClientScopeModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.AbstractPairwiseSubMapper;

import io.github.checktoken.introspection.dataprovider.ClientSecret;
import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyStatus;
import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.keycloak.LoginGuard;

/**
 * Finds what is weak or missing in the registration of a data provider, although it gets answers.
 *
 * @param warning gets the key of a text of the Admin Console, and what it is filled with
 */
record RegistrationReview(KeycloakSession session, DataProvider dataProvider, BiConsumer<String, Object> warning) {

    /** 128 bits in Base64. */
    private static final int SECRET_LENGTH = 22;

    /** Of a secret, and of an encryption key. */
    private static final Duration MAX_AGE = Duration.ofDays(365);

    /** NIST SP 800-57 part 1 revision 5, table 2: as strong as 128 bits. */
    private static final int RSA_BITS = 3072;

    /** What does not depend on the encryption key. */
    void reviewSettings() {
        if (!hasOwnScope()) {
            warning.accept("checktokenNoScope", "");
        }
        if (!dataProvider.hasIdentity(session)) {
            warning.accept("checktokenNoIdentity", "");
        }
        if (!dataProvider.config().hasSalt()) {
            warning.accept("checktokenNoSalt", "");
        }
        if (hasTwoSubjects()) {
            warning.accept("checktokenTwoSubjects", "");
        }
        ClientSecret.of(dataProvider.client()).ifPresent(secret -> {
            if (secret.length() < SECRET_LENGTH) {
                warning.accept("checktokenShortSecret", SECRET_LENGTH);
            }
            if (secret.created().filter(this::isTooOld).isPresent()) {
                warning.accept("checktokenOldSecret", "");
            }
        });
        new LoginGuard(session)
                .reason(dataProvider.client().getRealm())
                .switchedOffBy()
                .ifPresent(setting -> warning.accept("checktokenGateOff", setting));
    }

    void reviewJwksUrl(Optional<String> jwksUrl) {
        if (jwksUrl.filter(url -> url.startsWith("http:")).isPresent()) {
            warning.accept("checktokenPlainHttp", "");
        }
    }

    void reviewKey(EncryptionKeyStatus status) {
        Optional<KeyWrapper> key = status.key();
        if (key.isPresent()
                && key.get().getPublicKey() instanceof RSAPublicKey rsa
                && rsa.getModulus().bitLength() < RSA_BITS) {
            warning.accept("checktokenSmallKey", String.valueOf(rsa.getModulus().bitLength()));
        }
        if (Stream.of(status.issued(), status.knownSince())
                .flatMap(Optional::stream)
                .anyMatch(time -> isTooOld(time.getEpochSecond()))) {
            warning.accept("checktokenOldKey", "");
        }
    }

    /** The realm gives its own optional client scopes, such as {@code phone}, to every new client. */
    private boolean hasOwnScope() {
        ClientModel client = dataProvider.client();
        Set<String> ofTheRealm = client.getRealm()
                .getDefaultClientScopesStream(false)
                .map(ClientScopeModel::getName)
                .collect(Collectors.toSet());
        return !ofTheRealm.containsAll(client.getClientScopes(false).keySet());
    }

    /** Whether people also sign in to this client, where it learns the user id, or what another mapper makes. */
    private boolean hasTwoSubjects() {
        ClientModel client = dataProvider.client();
        return (client.isStandardFlowEnabled() || client.isImplicitFlowEnabled())
                && dataProvider
                        .mappers()
                        .map(mapper -> session.getKeycloakSessionFactory()
                                .getProviderFactory(ProtocolMapper.class, mapper.getProtocolMapper()))
                        .noneMatch(AbstractPairwiseSubMapper.class::isInstance);
    }

    private boolean isTooOld(long created) {
        return CurrentTime.seconds() - created > MAX_AGE.toSeconds();
    }
}
