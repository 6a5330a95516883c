package io.github.checktoken.fuzz;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.keycloak.common.util.Base64Url;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.Http;

/**
 * Generates tokens that look like the realm's. Most have something strange in the header or in the claims, and they are
 * signed with different keys. The input of a token is the name of the key, the header, the claims and the charset; or
 * {@link #AS_IT_IS} and a text.
 */
final class ForgedTokenGenerator {

    static final String AS_IT_IS = "as it is";

    private static final String REALM = "realm";

    /** The secrets that a server may use if it mistakes a public key for a shared secret. */
    private static final List<String> HMAC =
            List.of("HMAC with PEM", "HMAC with DER", "HMAC with n", "HMAC with the kid");

    private static final String OTHER = "other";
    private static final String NONE = "none";

    private final FuzzRealm realm;
    private final RSAKey other = key();
    private final Map<String, String> header;
    private final Map<String, String> claims;

    ForgedTokenGenerator(FuzzRealm realm) {
        this.realm = realm;
        String[] parts = realm.tokens().accessToken().split("\\.");
        header = members(parts[0]);
        claims = members(parts[1]);
        // Keycloak's event contains whatever a forged token names as its client. No log may contain the name of a
        // person, so these values must not get there.
        claims.keySet().removeAll(List.of("name", "given_name", "family_name", "email", "preferred_username"));
    }

    List<String> input(HostileInput hostile) {
        if (hostile.oneIn(5)) {
            return List.of(AS_IT_IS, asItIs(hostile));
        }
        String key = hostile.oneIn(3) ? hostile.oneOf(hostile.oneOf(HMAC), OTHER, NONE) : REALM;
        return List.of(
                key,
                hostile.oneIn(2) ? object(header) : header(hostile, key),
                hostile.oneIn(4) ? object(claims) : claims(hostile),
                hostile.oneIn(10) ? "ISO-8859-1" : "UTF-8");
    }

    String token(List<String> input) {
        String key = input.get(0);
        if (key.equals(AS_IT_IS)) {
            return input.get(1);
        }
        Charset charset = Charset.forName(input.get(3));
        String signed = base64(input.get(1).getBytes(charset)) + "."
                + base64(input.get(2).getBytes(charset));
        try {
            return signed + "." + base64(sign(key, input.get(1), signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the token may be active: the realm signed it, it is for the person's session, and it has not expired. */
    boolean mayBeActive(String token) {
        try {
            String[] parts = token.split("\\.");
            JsonNode read = Http.JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            return parts.length == 3
                    && isSignedByTheRealm(parts)
                    && List.of("Bearer", "DPoP").contains(read.path("typ").asText())
                    && read.path("iss").asText().equals(realm.url())
                    && read.path("azp").asText().equals(FuzzRealm.SERVICE_PROVIDER)
                    && HostileInput.quoted(read.path("sid").asText()).equals(claims.get("sid"))
                    && read.path("exp").asLong() > System.currentTimeMillis() / 1000
                    && !read.path("iat").isMissingNode()
                    && !read.path("iat").isNull()
                    && !read.path("jti").isMissingNode()
                    && !read.path("jti").isNull();
        } catch (java.io.IOException | IllegalArgumentException | GeneralSecurityException | JOSEException e) {
            return false;
        }
    }

    private boolean isSignedByTheRealm(String[] parts) throws GeneralSecurityException, JOSEException {
        for (String hash : List.of("SHA256", "SHA384", "SHA512")) {
            Signature signature = Signature.getInstance(hash + "withRSA");
            signature.initVerify(realm.signingKey().toRSAPublicKey());
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            // Keycloak's own decoder, because it also accepts padding.
            byte[] value = Base64Url.decode(parts[2]);
            if (value.length == 256 && signature.verify(value)) {
                return true;
            }
        }
        return false;
    }

    private byte[] sign(String key, String header, byte[] signed) throws GeneralSecurityException, JOSEException {
        if (key.equals(NONE)) {
            return new byte[0];
        }
        String bits = header.contains("512") ? "512" : header.contains("384") ? "384" : "256";
        if (HMAC.contains(key)) {
            Mac mac = Mac.getInstance("HmacSHA" + bits);
            mac.init(new SecretKeySpec(secret(key), "HMAC"));
            return mac.doFinal(signed);
        }
        Signature signature = Signature.getInstance("SHA" + bits + "withRSA");
        signature.initSign((key.equals(REALM) ? realm.signingKey() : other).toPrivateKey());
        signature.update(signed);
        return signature.sign();
    }

    private byte[] secret(String key) throws JOSEException {
        RSAKey known = realm.signingKey();
        byte[] der = known.toPublicKey().getEncoded();
        return switch (HMAC.indexOf(key)) {
            case 0 ->
                ("-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(der)
                                + "\n-----END PUBLIC KEY-----")
                        .getBytes(StandardCharsets.US_ASCII);
            case 1 -> der;
            case 2 -> known.getModulus().decode();
            default -> known.getKeyID().getBytes(StandardCharsets.US_ASCII);
        };
    }

    private String asItIs(HostileInput hostile) {
        String valid = realm.tokens().accessToken();
        return switch (hostile.below(7)) {
            case 0 -> realm.tokens().idToken();
            case 1 -> realm.tokens().refreshToken();
            case 2 -> encrypted(valid);
            case 3 -> hostile.text(".", "e30", "eyJhbGciOiJSUzI1NiJ9", valid);
            case 4 -> "x".repeat(hostile.oneIn(50) ? 1 << 20 : hostile.below(131_072));
            default -> hostile.mutated(hostile.oneIn(9) ? realm.tokens().idToken() : valid);
        };
    }

    /** @return the token as a nested JWT (RFC 7519) that is encrypted for the realm */
    private String encrypted(String token) {
        JWEObject jwe = new JWEObject(
                new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM)
                        .contentType("JWT")
                        .keyID(realm.signingKey().getKeyID())
                        .build(),
                new Payload(token));
        try {
            jwe.encrypt(new RSAEncrypter(realm.signingKey()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return jwe.serialize();
    }

    private String header(HostileInput hostile, String key) {
        if (hostile.oneIn(10)) {
            return hostile.json("alg", "kid", "typ", "RS256", "none");
        }
        Map<String, String> changed = new LinkedHashMap<>(header);
        if (!key.equals(REALM)) {
            changed.put("alg", key.equals(NONE) ? "\"none\"" : key.equals(OTHER) ? "\"RS256\"" : "\"HS256\"");
        }
        for (int i = hostile.below(3); i >= 0; i--) {
            String name = hostile.oneOf(
                    "alg", "kid", "typ", "cty", "jku", "x5u", "jwk", "x5c", "x5t", "crit", "b64", "zip", "enc", "epk",
                    "p2c");
            changed.put(
                    name,
                    hostile.oneIn(3)
                            ? hostile.json("RS256")
                            : hostile.oneOf(
                                    "\"none\"",
                                    "\"NONE\"",
                                    "\"HS256\"",
                                    "\"HS512\"",
                                    "\"RS512\"",
                                    "\"PS256\"",
                                    "\"ES256\"",
                                    "\"EdDSA\"",
                                    "\"DEF\"",
                                    "false",
                                    "[\"exp\"]",
                                    "[\"b64\"]",
                                    "\"http://127.0.0.1:1/keys\"",
                                    "\"../../../etc/passwd\"",
                                    other.toPublicJWK().toJSONString()));
        }
        return object(changed, hostile);
    }

    private String claims(HostileInput hostile) {
        if (hostile.oneIn(12)) {
            return hostile.oneIn(3) ? realm.tokens().accessToken() : hostile.json("sub", "sid", "azp");
        }
        Map<String, String> changed = new LinkedHashMap<>(claims);
        for (int i = hostile.below(3); i >= 0; i--) {
            String name = hostile.oneIn(2)
                    ? hostile.oneOf(new ArrayList<>(claims.keySet()))
                    : hostile.oneOf(
                            "organization",
                            "cnf",
                            "nbf",
                            "act",
                            "authorization",
                            "realm_access",
                            "resource_access",
                            "session_state",
                            "auth_time",
                            "nonce",
                            "acr",
                            "scope",
                            "category",
                            "trusted-certs");
            if (hostile.oneIn(3)) {
                changed.remove(name);
            } else {
                changed.put(
                        name,
                        hostile.oneIn(2)
                                ? hostile.json("x5t#S256", "jkt", "roles", "ID", "Refresh", FuzzRealm.SERVICE_PROVIDER)
                                : hostile.oneOf(
                                        hostile.oneOf(new ArrayList<>(claims.values())),
                                        "\"ID\"",
                                        "\"Refresh\"",
                                        "\"Offline\"",
                                        "\"DPoP\"",
                                        "\"" + FuzzRealm.DATA_PROVIDER + "\"",
                                        "\"account\"",
                                        "1",
                                        "1600000000",
                                        "4000000000",
                                        "-9223372036854775808"));
            }
        }
        return object(changed, hostile);
    }

    /** Sometimes writes the first member twice. */
    private static String object(Map<String, String> members, HostileInput hostile) {
        String object = object(members);
        return hostile.oneIn(20) && object.length() > 2
                ? object.substring(0, object.length() - 1) + ","
                        + object.substring(1, object.indexOf(',') < 0 ? object.length() - 1 : object.indexOf(',')) + "}"
                : object;
    }

    private static String object(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> HostileInput.quoted(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Map<String, String> members(String part) {
        try {
            Map<String, String> members = new LinkedHashMap<>();
            Http.JSON
                    .readTree(Base64.getUrlDecoder().decode(part))
                    .properties()
                    .forEach(member ->
                            members.put(member.getKey(), member.getValue().toString()));
            return members;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
