package io.github.checktoken.introspection.endpoint;

import java.util.List;
import java.util.stream.Stream;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.introspection.jose.CryptoProviders;
import io.github.checktoken.introspection.jose.NativeCryptoConfig;
import io.github.checktoken.introspection.notice.NoticeConfig;
import io.github.checktoken.introspection.notice.NoticeTask;
import io.github.checktoken.introspection.secretguess.SecretGuessLimit;
import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.StartReport;
import io.github.checktoken.telemetry.ClientLabel;

/** Provides the introspection endpoint under its short path, {@code /realms/{realm}/checktoken}. */
public final class CheckTokenResourceProviderFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "checktoken";

    private static final String PLACE = "/realms/{realm}/checktoken, for the data providers of each realm. ";

    private SecretGuessLimit guessLimit;
    private NativeCryptoConfig nativeCrypto;
    private NoticeConfig notices;
    private ClientLabel clientLabel;

    public CheckTokenResourceProviderFactory() {
        super(Part.INTROSPECTION);
    }

    @Override
    public void init(Config.Scope config) {
        if (!KeycloakCompatibility.supports(Part.INTROSPECTION)) {
            return;
        }
        guessLimit = SecretGuessLimit.of(config);
        nativeCrypto = NativeCryptoConfig.of(config);
        notices = NoticeConfig.of(config);
        clientLabel = new ClientLabel(config);
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        if (StartReport.tell(Part.INTROSPECTION, () -> PLACE + CryptoProviders.choose(nativeCrypto))) {
            NoticeTask.schedule(factory, notices);
        }
    }

    @Override
    protected Object resource(KeycloakSession session) {
        return new CheckTokenEndpoint(session, guessLimit, clientLabel);
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
