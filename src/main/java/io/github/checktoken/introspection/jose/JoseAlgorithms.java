package io.github.checktoken.introspection.jose;

import java.util.List;

import org.keycloak.crypto.Algorithm;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JWEAlgorithm;

/** The algorithms for answers, by their registered names (RFC 7518, RFC 8037). RSA1_5 and none are not supported. */
public final class JoseAlgorithms {

    /** JWS {@code alg}. The realm needs an active key for the one that is chosen. */
    public static final List<String> SIGNATURE = List.of(
            Algorithm.RS256,
            Algorithm.RS384,
            Algorithm.RS512,
            Algorithm.PS256,
            Algorithm.PS384,
            Algorithm.PS512,
            Algorithm.ES256,
            Algorithm.ES384,
            Algorithm.ES512,
            Algorithm.EdDSA);

    /** JWE {@code alg}, key management. nimbus has deprecated RSA-OAEP because of SHA-1, but some libraries have no other. */
    @SuppressWarnings("deprecation")
    public static final List<String> KEY_MANAGEMENT = List.of(
            JWEAlgorithm.RSA_OAEP_256.getName(),
            JWEAlgorithm.RSA_OAEP.getName(),
            JWEAlgorithm.RSA_OAEP_384.getName(),
            JWEAlgorithm.RSA_OAEP_512.getName(),
            JWEAlgorithm.ECDH_ES.getName(),
            JWEAlgorithm.ECDH_ES_A128KW.getName(),
            JWEAlgorithm.ECDH_ES_A192KW.getName(),
            JWEAlgorithm.ECDH_ES_A256KW.getName());

    /** JWE {@code enc}, content encryption. */
    public static final List<String> CONTENT_ENCRYPTION = List.of(
            EncryptionMethod.A128GCM.getName(),
            EncryptionMethod.A192GCM.getName(),
            EncryptionMethod.A256GCM.getName(),
            EncryptionMethod.A128CBC_HS256.getName(),
            EncryptionMethod.A192CBC_HS384.getName(),
            EncryptionMethod.A256CBC_HS512.getName());

    private JoseAlgorithms() {}
}
