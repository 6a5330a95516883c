package io.github.checktoken.introspection.endpoint;

import java.util.List;
import java.util.stream.Stream;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.services.resource.RealmResourceProvider;

import io.github.checktoken.introspection.jose.CryptoProviders;
import io.github.checktoken.introspection.jose.NativeCryptoConfig;
import io.github.checktoken.introspection.notice.NoticeConfig;
import io.github.checktoken.introspection.notice.NoticeTask;
import io.github.checktoken.introspection.secretguess.SecretGuessLimit;
import io.github.checktoken.telemetry.ClientLabel;

/** Provides the introspection endpoint under its short path, {@code /realms/{realm}/checktoken}. */
public final class CheckTokenResourceProviderFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "checktoken";

    private SecretGuessLimit guessLimit;
    private NativeCryptoConfig nativeCrypto;
    private NoticeConfig notices;
    private ClientLabel clientLabel;

    @Override
    public void init(Config.Scope config) {
        super.init(config);
        guessLimit = SecretGuessLimit.of(config);
        nativeCrypto = NativeCryptoConfig.of(config);
        notices = NoticeConfig.of(config);
        clientLabel = new ClientLabel(config);
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        CryptoProviders.choose(nativeCrypto);
        NoticeTask.schedule(factory, notices);
    }

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new RealmResource(new CheckTokenEndpoint(session, guessLimit, clientLabel));
    }

    @Override
    public List<ProviderConfigProperty> getConfigMetadata() {
        return Stream.of(
                        SecretGuessLimit.properties(),
                        NativeCryptoConfig.properties(),
                        NoticeConfig.properties(),
                        ClientLabel.properties())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
