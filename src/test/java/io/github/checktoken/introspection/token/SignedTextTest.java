package io.github.checktoken.introspection.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.TokenVerifier;
import org.keycloak.common.VerificationException;
import org.keycloak.common.crypto.CryptoIntegration;
import org.keycloak.common.crypto.CryptoProvider;
import org.keycloak.common.crypto.ECDSACryptoProvider;
import org.keycloak.crypto.AsymmetricSignatureVerifierContext;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.ServerECDSASignatureVerifierContext;
import org.keycloak.crypto.SignatureVerifierContext;
import org.keycloak.representations.AccessToken;
import org.keycloak.util.JsonSerialization;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.impl.ECDSA;
import io.github.checktoken.introspection.jose.CryptoProviders;
import io.github.checktoken.introspection.jose.NativeCryptoConfig;
import io.github.checktoken.support.Fake;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Whatever the text is, native code and Keycloak's verifier find the same. */
class SignedTextTest {

    private static final String ISSUER = "https://id.example.org/realms/federation";
    private static final String ORDINARY =
            "\"typ\":\"Bearer\",\"azp\":\"sp\",\"sid\":\"s\",\"scope\":\"a b\",\"aud\":[\"a\",\"b\"],\"x\":{\"y\":[1,2.5,null]}";

    private static final List<String> VERIFIED = List.of(
            ORDINARY,
            "\"typ\":\"DPoP\",\"cnf\":{\"jkt\":\"t\"},\"acr\":\"1\",\"auth_time\":5,\"realm_access\":{\"roles\":[\"r\"]}",
            "\"typ\":\"ID\"",
            "\"typ\":5",
            "\"typ\":\"Bearer\"} {\"a\":1,\"a\":2",
            "\"typ\":\"Bearer\"}}");
    private static final List<String> NOT_VERIFIED = List.of(
            "\"sid\":\"s\",\"sid\":\"t\"",
            "\"x\":{\"y\":1,\"y\":2}",
            "\"realm_access\":{\"roles\":[],\"roles\":[\"r\"]}",
            "\"iss\":\"" + ISSUER + "\"",
            "\"auth_time\":\"never\"",
            "\"x\":");

    private static final Map<String, KeyPair> KEYS =
            Map.of("RS256", pair("RSA"), "PS256", pair("RSA"), "ES256", pair("EC"));
    private static final Map<String, KeyPair> FOREIGN =
            Map.of("RS256", pair("RSA"), "PS256", pair("RSA"), "ES256", pair("EC"));

    private final Provider bouncyCastle = new BouncyCastleProvider();

    @BeforeEach
    void startAsKeycloakDoes() {
        Security.addProvider(bouncyCastle);
        ECDSACryptoProvider ecdsa = Fake.of(
                ECDSACryptoProvider.class, (method, arguments) -> ECDSA.transcodeSignatureToDER((byte[]) arguments[0]));
        CryptoIntegration.setProvider(Fake.of(
                CryptoProvider.class,
                Map.of("getEcdsaCryptoProvider", ecdsa, "getBouncyCastleProvider", bouncyCastle)));
        CryptoProviders.choose(new NativeCryptoConfig(false));
    }

    @AfterEach
    void forgetKeycloak() {
        Security.removeProvider(bouncyCastle.getName());
        CryptoIntegration.setProvider(null);
        CryptoProviders.choose(new NativeCryptoConfig(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "PS256", "ES256"})
    void tokenIsTheOneThatKeycloakVerifies(String algorithm) throws Exception {
        for (String claims : VERIFIED) {
            String text = signed(algorithm, KEYS, claims(ISSUER, claims));
            assertFalse(natively(text, algorithm).isEmpty(), text);
            assertEquals(ofKeycloak(text, algorithm), natively(text, algorithm), text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "PS256", "ES256"})
    void noOtherTextIsVerified(String algorithm) throws Exception {
        for (String text : otherTexts(algorithm)) {
            assertEquals(Optional.empty(), natively(text, algorithm), text);
            assertEquals(Optional.empty(), ofKeycloak(text, algorithm), text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "PS256", "ES256"})
    void withNativeCodeOffNothingIsVerified(String algorithm) throws Exception {
        CryptoProviders.choose(new NativeCryptoConfig(true));
        assertEquals(Optional.empty(), natively(signed(algorithm, KEYS, claims(ISSUER, ORDINARY)), algorithm));
    }

    private static List<String> otherTexts(String algorithm) throws Exception {
        List<String> texts = new ArrayList<>();
        for (String claims : NOT_VERIFIED) {
            texts.add(signed(algorithm, KEYS, claims(ISSUER, claims)));
        }
        for (String issuer : List.of("", ISSUER + "/", ISSUER.toUpperCase())) {
            texts.add(signed(algorithm, KEYS, claims(issuer, ORDINARY)));
        }
        for (String payload : List.of("", "[]", "{}", "5", "{\"iss\":")) {
            texts.add(signed(algorithm, KEYS, payload));
        }
        texts.add(signed(algorithm, FOREIGN, claims(ISSUER, ORDINARY)));

        String good = signed(algorithm, KEYS, claims(ISSUER, ORDINARY));
        String[] parts = good.split("\\.");
        for (String header : List.of("{\"alg\":\"none\"}", "{\"alg\":5}", "{}", "null", "")) {
            texts.add(base64(header) + "." + parts[1] + "." + parts[2]);
        }
        int length = algorithm.equals("ES256") ? 64 : 256;
        String zero = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[length]);
        for (String signature : List.of("", "AA", zero, "AAAA" + parts[2], parts[2].substring(4))) {
            texts.add(parts[0] + "." + parts[1] + "." + signature);
        }
        texts.add(parts[0] + "." + base64(claims(ISSUER, VERIFIED.get(1))) + "." + parts[2]);
        texts.addAll(List.of("", ".", "..", "...", good + "=", good + ".", good + "\n", good + "\u00e9", " " + good));
        texts.add(parts[0] + "=." + parts[1] + "." + parts[2]);
        texts.add(parts[0] + "." + parts[1].substring(0, 20) + "!" + parts[1].substring(20) + "." + parts[2]);
        texts.add(good.substring(0, good.length() - 1) + (char) (good.charAt(good.length() - 1) + 1));
        return texts;
    }

    private static Optional<String> natively(String text, String algorithm) {
        return SignedText.of(text)
                .flatMap(signed -> signed.verified(key(algorithm), ISSUER))
                .map(SignedTextTest::json);
    }

    /** As {@link KeycloakTokenCheck} asks it, if native code has verified nothing. */
    private static Optional<String> ofKeycloak(String text, String algorithm) {
        KeyWrapper key = key(algorithm);
        SignatureVerifierContext verifier = algorithm.equals("ES256")
                ? new ServerECDSASignatureVerifierContext(key)
                : new AsymmetricSignatureVerifierContext(key);
        return SignedText.of(text).filter(signed -> signed.token().isPresent()).flatMap(signed -> {
            try {
                return Optional.of(json(TokenVerifier.create(text, AccessToken.class)
                        .realmUrl(ISSUER)
                        .verifierContext(verifier)
                        .verify()
                        .getToken()));
            } catch (VerificationException e) {
                return Optional.empty();
            }
        });
    }

    private static String json(AccessToken token) {
        return JsonSerialization.valueAsString(token);
    }

    private static String claims(String issuer, String others) {
        return "{\"exp\":99999999999,\"iat\":5,\"jti\":\"id\",\"iss\":\"" + issuer + "\",\"sub\":\"\u00e9\"," + others
                + "}";
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String signed(String algorithm, Map<String, KeyPair> keys, String payload) throws JOSEException {
        JWSObject jws = new JWSObject(new JWSHeader(JWSAlgorithm.parse(algorithm)), new Payload(payload));
        PrivateKey key = keys.get(algorithm).getPrivate();
        jws.sign(key instanceof ECPrivateKey ec ? new ECDSASigner(ec) : new RSASSASigner(key));
        return jws.serialize();
    }

    private static KeyWrapper key(String algorithm) {
        KeyWrapper key = new KeyWrapper();
        key.setAlgorithm(algorithm);
        key.setPublicKey(KEYS.get(algorithm).getPublic());
        return key;
    }

    private static KeyPair pair(String type) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
            generator.initialize(type.equals("EC") ? 256 : 2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
