package io.github.checktoken.client;

import java.time.Duration;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.testkit.TestClient;
import io.github.checktoken.testkit.TestKit;

/** Makes a {@link CheckToken} for a client of the test kit. */
final class TestCheckToken {

    static final TestKit KIT = new TestKit();

    private TestCheckToken() {}

    static CheckToken.Builder builder(String issuer, TestClient client) {
        return unauthenticated(issuer, client).secret(client.secret());
    }

    /** @return a builder that is complete but for the way to authenticate */
    static CheckToken.Builder unauthenticated(String issuer, TestClient client) {
        CheckToken.Builder builder = CheckToken.builder(issuer.replace("/api/v2", ""), client.clientId())
                .decryptionKeys(privateKey(client))
                .signature(client.agreed("jws_alg"))
                .contentEncryption(client.agreed("jwe_enc"))
                .timeBudget(Duration.ofSeconds(10));
        builder.pause = Duration.ZERO;
        return builder;
    }

    static JWK privateKey(TestClient client) {
        JWK key = KIT.key("data-provider-" + client.agreed("kty"));
        Algorithm agreed = JWEAlgorithm.parse(client.agreed("jwe_alg"));
        return key instanceof RSAKey rsa
                ? new RSAKey.Builder(rsa).algorithm(agreed).build()
                : new ECKey.Builder((ECKey) key).algorithm(agreed).build();
    }
}
