package io.github.checktoken.introspection.notice;

import java.time.Duration;
import java.util.List;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.settings.IntegerOption;

/**
 * The server's settings for notices, as options of the provider {@code checktoken}.
 *
 * @param interval how often each node looks for what to tell
 * @param keyFailure for how long the loads of a key must have failed before that is told
 */
public record NoticeConfig(Duration interval, Duration keyFailure) {

    private static final IntegerOption INTERVAL = new IntegerOption(
            "notice-interval-seconds",
            900,
            1,
            86_400,
            "How often each node looks for keys that could not be renewed, and for secrets and certificates that expire soon.");
    private static final IntegerOption KEY_FAILURE = new IntegerOption(
            "key-failure-seconds",
            3600,
            0,
            86_400,
            "For how many seconds each load of a data provider's key must have failed before it is told.");

    /** @throws IllegalArgumentException if a value is no number or out of range; the server then does not start */
    public static NoticeConfig of(Config.Scope config) {
        return new NoticeConfig(
                Duration.ofSeconds(INTERVAL.value(config)), Duration.ofSeconds(KEY_FAILURE.value(config)));
    }

    /** The options of the provider, as Keycloak lists them. */
    public static List<ProviderConfigProperty> properties() {
        return List.of(INTERVAL.property(), KEY_FAILURE.property());
    }
}
