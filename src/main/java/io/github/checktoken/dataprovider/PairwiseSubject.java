package io.github.checktoken.dataprovider;

import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.PairwiseSubMapperHelper;
import org.keycloak.protocol.oidc.mappers.SHA256PairwiseSubMapper;
import org.keycloak.utils.StringUtil;

import org.jboss.logging.Logger;

/**
 * The person's identifier for one data provider (OpenID Connect Core section 8.1): what its pairwise mapper gives it at
 * login, so that it recognises its users; without one, Keycloak's salted hash with the client_id as the sector.
 */
final class PairwiseSubject {

    private static final Logger logger = Logger.getLogger(PairwiseSubject.class);

    private final DataProvider dataProvider;

    PairwiseSubject(DataProvider dataProvider) {
        this.dataProvider = dataProvider;
    }

    /** @return ASCII, never the user id */
    String of(MapperRun mappers) {
        return mappers.pairwiseMappers().stream()
                .map(mapper -> atLogin(mappers, mapper))
                .flatMap(Optional::stream)
                .reduce((earlier, later) -> later)
                .orElseGet(() -> saltedHash(mappers.userId()));
    }

    private Optional<String> atLogin(MapperRun mappers, Entry<ProtocolMapperModel, ProtocolMapper> mapper) {
        try {
            return Optional.ofNullable(mappers.subject(mapper)).filter(StringUtil::isNotBlank);
        } catch (RuntimeException e) {
            // Keycloak's mappers throw what they happen to without a sector (no redirect URI, several hosts) or a salt.
            logger.warnf(
                    "Pairwise mapper '%s' of data provider '%s' gives no subject: %s",
                    mapper.getKey().getName(),
                    dataProvider.client().getClientId(),
                    e.getClass().getName());
            return Optional.empty();
        }
    }

    private String saltedHash(String userId) {
        ProtocolMapperModel model = new ProtocolMapperModel();
        model.setConfig(Map.of(
                PairwiseSubMapperHelper.PAIRWISE_SUB_ALGORITHM_SALT,
                dataProvider.config().salt()));
        return new SHA256PairwiseSubMapper()
                .generateSub(model, dataProvider.client().getClientId(), userId);
    }
}
