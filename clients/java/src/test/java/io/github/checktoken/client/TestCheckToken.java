package io.github.checktoken.client;

import java.time.Duration;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.testkit.TestClient;
import io.github.checktoken.testkit.TestKit;

/** Makes a {@link CheckToken} for a client of the test kit. */
final class TestCheckToken {

    static final TestKit KIT = new TestKit();

    private TestCheckToken() {}

    static CheckToken.Builder builder(String issuer, TestClient client) {
        CheckToken.Builder builder = CheckToken.builder(issuer, client.clientId())
                .secret(client.secret())
                .decryptionKeys(privateKey(client))
                .signature(client.agreed("jws_alg"))
                .encryption(client.agreed("jwe_alg"), client.agreed("jwe_enc"))
                .timeBudget(Duration.ofSeconds(10));
        builder.pause = Duration.ZERO;
        return builder;
    }

    static JWK privateKey(TestClient client) {
        return KIT.key("data-provider-" + client.agreed("kty"));
    }
}
