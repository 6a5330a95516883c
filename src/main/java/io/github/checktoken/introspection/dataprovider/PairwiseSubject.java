package io.github.checktoken.introspection.dataprovider;

import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.PairwiseSubMapperHelper;
import org.keycloak.protocol.oidc.mappers.SHA256PairwiseSubMapper;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.introspection.outage.DatabaseFailure;
import io.github.checktoken.introspection.outage.UserStoreAccess;
import io.github.checktoken.telemetry.FailureTracker;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/**
 * Computes the user's identifier for one data provider (OpenID Connect Core section 8.1). If the data provider has a
 * pairwise mapper, this is the same value as at a login to the data provider, so that it recognises its users.
 * Otherwise it is Keycloak's salted hash with the client_id as the sector.
 *
 * @param mapperFailures failures of pairwise mappers, by the id of the mapper
 */
record PairwiseSubject(DataProvider dataProvider, FailureTracker mapperFailures) {

    private static final Logger logger = Logger.getLogger(PairwiseSubject.class);

    /** @return the value of the last pairwise mapper that gives one, or the salted hash; ASCII, never the user id */
    String of(ProtocolMapperRunner mappers) {
        return mappers.pairwiseMappers().stream()
                .map(mapper -> mappedSubject(mappers, mapper))
                .flatMap(Optional::stream)
                .reduce((earlier, later) -> later)
                .orElseGet(() -> saltedHash(mappers.user().getId()));
    }

    /**
     * @return empty if the mapper gives no subject or fails
     * @throws RuntimeException if it fails because the database or a user store is unavailable
     */
    private Optional<String> mappedSubject(
            ProtocolMapperRunner mappers, Entry<ProtocolMapperModel, ProtocolMapper> mapper) {
        try {
            Optional<String> subject =
                    Optional.ofNullable(mappers.subject(mapper)).filter(StringUtil::isNotBlank);
            int failures = mapperFailures.recordSuccess(mapper.getKey().getId());
            if (failures > 0) {
                logger.infof("%s works again after %d failures", name(mapper.getKey()), failures);
            }
            return subject;
        } catch (RuntimeException e) {
            if (DatabaseFailure.causes(e) || UserStoreAccess.causes(e, mappers.user())) {
                // The same person must not get another subject because something is away for a moment.
                throw e;
            }
            // Without a salt or a sector (no redirect URI, several hosts) Keycloak's mappers throw various exceptions.
            if (mapperFailures.recordFailure(mapper.getKey().getId())) {
                logger.warnf(
                        "%s fails, so subjects are made without it: %s",
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
