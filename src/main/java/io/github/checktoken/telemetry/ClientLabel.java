package io.github.checktoken.telemetry;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.keycloak.Config;
import org.keycloak.models.ClientModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.text.SingleLineText;

/**
 * The label {@code client} of the meter for answers, if the server has that option: the client_id of a data provider.
 * The first data providers that this node answers have their own value, and all others one together, so that their
 * number does not exhaust the memory of the server or of Prometheus.
 */
public final class ClientLabel {

    static final int MAX_CLIENTS = 500;

    /** The value for callers who are not known to be a data provider: what they claim is not used. */
    static final String NONE = "none";

    /** The value for further data providers. */
    static final String OTHERS = "others";

    private static final String OPTION = "meters-by-client";

    private final boolean isOn;
    private final Set<String> named = new HashSet<>();

    public ClientLabel(Config.Scope config) {
        isOn = config.getBoolean(OPTION, false);
    }

    /** The option, as Keycloak lists it. */
    public static List<ProviderConfigProperty> properties() {
        return List.of(new ProviderConfigProperty(
                OPTION,
                null,
                "Whether the meter for answers has a label with the client_id of the data provider.",
                ProviderConfigProperty.BOOLEAN_TYPE,
                false));
    }

    /** @return empty if the meter has no such label */
    public Optional<String> of(Optional<ClientModel> dataProvider) {
        return isOn ? Optional.of(dataProvider.map(this::value).orElse(NONE)) : Optional.empty();
    }

    private String value(ClientModel client) {
        return isNamed(client.getId()) ? SingleLineText.of(client.getClientId()) : OTHERS;
    }

    private synchronized boolean isNamed(String id) {
        return named.contains(id) || named.size() < MAX_CLIENTS && named.add(id);
    }
}
