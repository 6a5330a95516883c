package io.github.checktoken.testkit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.DirectEncrypter;
import com.nimbusds.jose.crypto.ECDHEncrypter;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.PasswordBasedEncrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.testkit.TestKit.JSON;

/** Makes the answer of a case: claims, signature, encryption, HTTP, with the one mutation on the way. */
final class AnswerMaker {

    private static final int PASSWORD_ITERATIONS = 1000;
    private static final int SALT_LENGTH = 8;

    private final TestKit kit;
    private final Addresses addresses;
    /** How often the platform has changed its keys. */
    private final AtomicInteger rolls = new AtomicInteger();

    private volatile Map<String, Object> rolledKey;

    AnswerMaker(TestKit kit, Addresses addresses) {
        this.kit = kit;
        this.addresses = addresses;
    }

    /** @param now in seconds since the epoch */
    MockAnswer answer(TestCase testCase, TestClient client, long now) {
        Values values = new Values(kit, addresses, client, now);
        Map<String, Object> http = values.object(testCase.merged("http"));
        try {
            return MockAnswer.of(http, body(testCase, client, values));
        } catch (JOSEException | GeneralSecurityException | ParseException e) {
            throw new IllegalStateException("The case " + testCase + " cannot be made", e);
        }
    }

    /** @return what is sent instead at each client's first, third, fifth … call, or null */
    MockAnswer firstAnswer(TestCase testCase) {
        Object first = JSON.object(testCase.merged("http")).get("first");
        return first == null ? null : MockAnswer.of(JSON.object(first), null);
    }

    /** @return the public keys of the platform, with the new one after a change */
    Map<String, Object> jwks() {
        Map<String, Object> set =
                new LinkedHashMap<>(kit.keySet("platform").toPublicJWKSet().toJSONObject());
        if (rolledKey != null) {
            List<Map<String, Object>> keys = new ArrayList<>(JSON.objects(set.get("keys")));
            keys.add(rolledKey);
            set.put("keys", keys);
        }
        return set;
    }

    private String body(TestCase testCase, TestClient client, Values values)
            throws JOSEException, GeneralSecurityException, ParseException {
        Map<String, Object> claims = values.object(testCase.claims(kit));
        if (testCase.mutation().equals("plain-introspection")) {
            return JSONObjectUtils.toJSONString(JSON.object(claims.get("token_introspection")));
        }
        String jws = jws(testCase, values, claims);
        if (testCase.mutation().equals("not-encrypted")) {
            return jws;
        }
        String content = switch (testCase.mutation()) {
            case "not-signed" -> JSONObjectUtils.toJSONString(claims);
            case "jws-as-json" -> asJson(List.of("protected", "payload", "signature"), jws);
            case "encrypted-twice" -> jwe(testCase, client, values, jws);
            default -> jws;
        };
        String jwe = jwe(testCase, client, values, content);
        return switch (testCase.mutation()) {
            case "jwe-as-json" -> asJson(List.of("protected", "encrypted_key", "iv", "ciphertext", "tag"), jwe);
            case "encrypted-key-flipped" -> flipped(jwe, 1);
            case "ciphertext-flipped" -> flipped(jwe, 3);
            case "tag-flipped" -> flipped(jwe, 4);
            case "epk-not-on-curve" -> withKeyNotOnCurve(jwe);
            case "truncated" -> jwe.substring(0, jwe.length() - 100);
            default -> jwe;
        };
    }

    private String jws(TestCase testCase, Values values, Map<String, Object> claims)
            throws JOSEException, GeneralSecurityException {
        Object template = testCase.merged("jws");
        values.signatureAlgorithm(values.text(JSON.object(template).get("alg")));
        Map<String, Object> header = values.object(template);
        JWK key = kit.key(values.text(testCase.merged("sign_with")));
        if (testCase.mutation().equals("key-rolled")) {
            header.put("kid", rollTo(key));
        }
        String headerText = JSONObjectUtils.toJSONString(header);
        String payload = JSONObjectUtils.toJSONString(claims);
        switch (testCase.mutation()) {
            case "duplicate-header" -> headerText = withLastMember(headerText, "\"alg\":\"none\"");
            case "duplicate-claim" -> payload = withLastMember(payload, "\"aud\":\"dp-other\"");
            case "payload-not-an-object" -> payload = "[true]";
            default -> {}
        }
        String input = Base64URL.encode(headerText) + "." + Base64URL.encode(payload);
        Base64URL signature = signature(testCase, key, input.getBytes(StandardCharsets.US_ASCII));
        if (testCase.mutation().equals("payload-replaced")) {
            claims.put("aud", values.text("{client_id}"));
            input = Base64URL.encode(headerText) + "." + Base64URL.encode(JSONObjectUtils.toJSONString(claims));
        }
        String jws = input + "." + signature;
        return testCase.mutation().equals("signature-flipped") ? flipped(jws, 2) : jws;
    }

    private static Base64URL signature(TestCase testCase, JWK key, byte[] input)
            throws JOSEException, GeneralSecurityException {
        return switch (testCase.mutation()) {
            case "unsecured", "signature-empty" -> new Base64URL("");
            case "hmac-with-public-key" -> new MACSigner(pem(key)).sign(new JWSHeader(JWSAlgorithm.HS256), input);
            default -> {
                JWSHeader header =
                        new JWSHeader(JWSAlgorithm.parse(key.getAlgorithm().getName()));
                Base64URL signature = new DefaultJWSSignerFactory()
                        .createJWSSigner(key, header.getAlgorithm())
                        .sign(header, input);
                yield testCase.mutation().equals("signature-zero")
                        ? Base64URL.encode(new byte[signature.decode().length])
                        : signature;
            }
        };
    }

    private String jwe(TestCase testCase, TestClient client, Values values, String content)
            throws JOSEException, GeneralSecurityException, ParseException {
        JWEHeader header = JWEHeader.parse(values.object(testCase.merged("jwe")));
        JWEObject jwe = new JWEObject(header, new Payload(content));
        jwe.encrypt(
                testCase.mutation().equals("jwe-with-client-secret")
                        ? secretEncrypter(header, client.secret())
                        : encrypter(kit.key(values.text(testCase.merged("encrypt_for")))));
        return jwe.serialize();
    }

    private static JWEEncrypter encrypter(JWK key) throws JOSEException {
        return key instanceof RSAKey rsa ? new RSAEncrypter(rsa) : new ECDHEncrypter((ECKey) key);
    }

    private static JWEEncrypter secretEncrypter(JWEHeader header, String secret)
            throws JOSEException, GeneralSecurityException {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return header.getAlgorithm().equals(JWEAlgorithm.DIR)
                ? new DirectEncrypter(MessageDigest.getInstance("SHA-256").digest(bytes))
                : new PasswordBasedEncrypter(bytes, SALT_LENGTH, PASSWORD_ITERATIONS);
    }

    private String rollTo(JWK key) {
        String kid = key.getKeyID() + "-roll-" + rolls.incrementAndGet();
        Map<String, Object> published = new LinkedHashMap<>(key.toPublicJWK().toJSONObject());
        published.put("kid", kid);
        rolledKey = published;
        return kid;
    }

    private static byte[] pem(JWK key) throws JOSEException {
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
        return ("-----BEGIN PUBLIC KEY-----\n"
                        + lines.encodeToString(
                                ((AsymmetricJWK) key).toPublicKey().getEncoded())
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String withLastMember(String object, String member) {
        return object.substring(0, object.length() - 1) + "," + member + "}";
    }

    private static String flipped(String compact, int part) {
        String[] parts = compact.split("\\.", -1);
        byte[] bytes = new Base64URL(parts[part]).decode();
        bytes[0] ^= 1;
        parts[part] = Base64URL.encode(bytes).toString();
        return String.join(".", parts);
    }

    private static String withKeyNotOnCurve(String jwe) throws ParseException {
        String[] parts = jwe.split("\\.", -1);
        Map<String, Object> header = JSONObjectUtils.parse(new Base64URL(parts[0]).decodeToString());
        Map<String, Object> epk = JSON.object(header.get("epk"));
        Object x = epk.get("x");
        epk.put("x", epk.get("y"));
        epk.put("y", x);
        parts[0] = Base64URL.encode(JSONObjectUtils.toJSONString(header)).toString();
        return String.join(".", parts);
    }

    private static String asJson(List<String> names, String compact) {
        String[] parts = compact.split("\\.", -1);
        Map<String, Object> json = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            json.put(names.get(i), parts[i]);
        }
        return JSONObjectUtils.toJSONString(json);
    }
}
