package io.github.checktoken.support.node;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;

/**
 * What the scripts of {@link NodeClient} must know about a data provider: its credentials, its key and its algorithms.
 */
public final class NodeClientInput {

    private NodeClientInput() {}

    /**
     * @param sig JWS {@code alg} of the answers
     * @param alg JWE {@code alg} of the answers
     * @param enc JWE {@code enc} of the answers
     */
    public static Map<String, Object> of(
            Federation federation, DataProviderClient dataProvider, String sig, String alg, String enc) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("realm", federation.url());
        job.put("clientId", dataProvider.clientId());
        job.put("secret", dataProvider.secret());
        job.put("privateKey", dataProvider.privateKey().toJSONObject());
        job.put("sig", sig);
        job.put("alg", alg);
        job.put("enc", enc);
        return job;
    }
}
