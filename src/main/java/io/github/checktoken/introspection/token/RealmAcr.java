package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.protocol.oidc.utils.AcrUtils;

/**
 * Translates {@code acr} of a token to a name of the realm. A service provider can give levels names of its own, which
 * mean something else to a data provider, and its mappers can set any value.
 */
final class RealmAcr {

    private final ClientModel serviceProvider;
    private final Map<String, Integer> realmLevels;

    RealmAcr(ClientModel serviceProvider) {
        this.serviceProvider = serviceProvider;
        this.realmLevels = AcrUtils.getAcrLoaMap(serviceProvider.getRealm());
    }

    /**
     * @param acr the claim of the token
     * @param recorded the level of the token's login
     * @return empty if the claim names no level
     */
    Optional<String> of(String acr, int recorded) {
        return level(acr)
                .map(level -> Math.min(level, recorded))
                .filter(level -> level >= 0)
                .map(level -> name(acr, level));
    }

    /** If the realm and the service provider have the same name, the lower of the two levels. */
    private Optional<Integer> level(String acr) {
        return Stream.of(realmLevels, AcrUtils.getAcrLoaMap(serviceProvider))
                .map(levels -> levels.get(acr))
                .filter(Objects::nonNull)
                .min(Integer::compare)
                .or(() -> RecordedLevel.number(acr));
    }

    /** A realm can have two names for a level: the token's own is kept. */
    private String name(String acr, Integer level) {
        if (level.equals(realmLevels.get(acr))) {
            return acr;
        }
        String name = AcrUtils.mapLoaToAcr(level, realmLevels, realmLevels.keySet());
        return name == null ? level.toString() : name;
    }
}
