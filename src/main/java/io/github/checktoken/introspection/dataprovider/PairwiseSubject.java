package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.ProtocolMapper;
import org.keycloak.protocol.oidc.mappers.PairwiseSubMapperHelper;
import org.keycloak.protocol.oidc.mappers.SHA256PairwiseSubMapper;
import org.keycloak.utils.StringUtil;

/**
 * Computes the user's identifier for one data provider (OpenID Connect Core section 8.1). If the data provider has a
 * pairwise mapper, this is the same value as at a login to the data provider, so that it recognises its users.
 * Otherwise it is Keycloak's salted hash with the client_id as the sector.
 */
record PairwiseSubject(DataProvider dataProvider) {

    /**
     * @return the value of the last pairwise mapper that gives one, or the salted hash; ASCII, never the user id
     * @throws RuntimeException if a pairwise mapper fails, or none gives a value: nobody gets another subject than usual
     */
    String of(ProtocolMapperRunner mappers) {
        List<Entry<ProtocolMapperModel, ProtocolMapper>> pairwise = mappers.pairwiseMappers();
        return pairwise.isEmpty()
                ? saltedHash(mappers.user().getId())
                : pairwise.stream()
                        .map(mappers::subject)
                        .filter(StringUtil::isNotBlank)
                        .reduce((earlier, later) -> later)
                        .orElseThrow();
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
