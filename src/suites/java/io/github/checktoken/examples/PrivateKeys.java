package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;

/** Private keys of data providers, which name their algorithm as those of the guide do. */
final class PrivateKeys {

    private PrivateKeys() {}

    static JWK rsa() {
        return generate(JWEAlgorithm.RSA_OAEP_256);
    }

    static JWK ec() {
        return generate(JWEAlgorithm.ECDH_ES);
    }

    private static JWK generate(Algorithm algorithm) {
        String kid = UUID.randomUUID().toString();
        try {
            return algorithm.equals(JWEAlgorithm.RSA_OAEP_256)
                    ? new RSAKeyGenerator(2048)
                            .keyID(kid)
                            .keyUse(KeyUse.ENCRYPTION)
                            .algorithm(algorithm)
                            .generate()
                    : new ECKeyGenerator(Curve.P_256)
                            .keyID(kid)
                            .keyUse(KeyUse.ENCRYPTION)
                            .algorithm(algorithm)
                            .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return a new file with the key */
    static Path write(JWK key) {
        try {
            return Files.writeString(ExampleFiles.newFile("private-", ".jwk.json"), key.toJSONString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
