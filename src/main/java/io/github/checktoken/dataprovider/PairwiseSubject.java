package io.github.checktoken.dataprovider;

import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.PairwiseSubMapperHelper;
import org.keycloak.protocol.oidc.mappers.SHA256PairwiseSubMapper;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.telemetry.FailureTracker;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * The person's identifier for one data provider (OpenID Connect Core section 8.1): what its pairwise mapper gives it at
 * login, so that it recognises its users; without one, Keycloak's salted hash with the client_id as the sector.
 */
final class PairwiseSubject {

    private static final Logger logger = Logger.getLogger(PairwiseSubject.class);

    private final DataProvider dataProvider;
    private final FailureTracker mapperFailures;

    /** @param mapperFailures of mappers, by their ids */
    PairwiseSubject(DataProvider dataProvider, FailureTracker mapperFailures) {
        this.dataProvider = dataProvider;
        this.mapperFailures = mapperFailures;
    }

    /** @return ASCII, never the user id */
    String of(ProtocolMapperRunner mappers) {
        return mappers.pairwiseMappers().stream()
                .map(mapper -> atLogin(mappers, mapper))
                .flatMap(Optional::stream)
                .reduce((earlier, later) -> later)
                .orElseGet(() -> saltedHash(mappers.userId()));
    }

    private Optional<String> atLogin(ProtocolMapperRunner mappers, Entry<ProtocolMapperModel, ProtocolMapper> mapper) {
        try {
            Optional<String> subject =
                    Optional.ofNullable(mappers.subject(mapper)).filter(StringUtil::isNotBlank);
            int failed = mapperFailures.recordSuccess(mapper.getKey().getId());
            if (failed > 0) {
                logger.infof("%s gives a subject again, after %d calls without", name(mapper.getKey()), failed);
            }
            return subject;
        } catch (RuntimeException e) {
            // Keycloak's mappers throw what they happen to without a sector (no redirect URI, several hosts) or a salt.
            if (mapperFailures.recordFailure(mapper.getKey().getId())) {
                logger.warnf(
                        "%s gives no subject: %s",
                        name(mapper.getKey()), e.getClass().getName());
            }
            return Optional.empty();
        }
    }

    private String name(ProtocolMapperModel mapper) {
        return "Pairwise mapper '" + SingleLineText.of(mapper.getName()) + "' of data provider '"
                + SingleLineText.of(dataProvider.client().getClientId()) + "'";
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
