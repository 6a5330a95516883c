package io.github.checktoken.client;

import java.security.Key;
import java.util.*;
import java.util.function.Function;
import java.util.stream.Stream;

import com.nimbusds.jose.*;
import com.nimbusds.jose.crypto.factories.*;
import com.nimbusds.jose.jwk.*;
import com.nimbusds.jose.util.*;

import static io.github.checktoken.client.CheckTokenException.*;

/** Decrypts and verifies an answer (RFC 9701 section 5), in the order of the data provider guide's steps. */
record AnswerReader(CheckToken.Builder agreed) {

    private static final String TYPE = "token-introspection+jwt";
    private static final int LEEWAY_SECONDS = 60;
    private static final DefaultJWEDecrypterFactory DECRYPTERS = new DefaultJWEDecrypterFactory();
    private static final DefaultJWSVerifierFactory VERIFIERS = new DefaultJWSVerifierFactory();

    /** @return the member {@code token_introspection} */
    Map<String, Object> read(String asked, String contentType, String body, Function<JWKMatcher, JWK> realmKeys) {
        unless(contentType.matches("(?i)application/token-introspection\\+jwt *(;.*)?"), "wrong-content-type");
        return accepted(verified(decrypted(body), realmKeys), asked);
    }

    private String decrypted(String body) {
        unless(body.split("\\.", -1).length != 3 && !body.startsWith("{"), "not-encrypted");
        Map<String, Object> header = header(body, 5, "malformed");
        String alg = header.get("alg") + " ";
        unless(agreed.keys.keySet().stream().anyMatch(name -> name.startsWith(alg)), "wrong-key-encryption");
        unless(agreed.contentEncryption.contains(String.valueOf(header.get("enc"))), "wrong-content-encryption");
        unless(!header.containsKey("zip"), "compressed");
        unless("JWT".equals(header.get("cty")), "not-signed");
        Key own = agreed.keys.get(alg + header.get("kid"));
        unless(own != null, "unknown-decryption-key");
        JWEObject jwe = attempt("malformed", () -> JWEObject.parse(body));
        return attempt("decryption-failed", () -> {
            jwe.decrypt(DECRYPTERS.createJWEDecrypter(jwe.getHeader(), own));
            return jwe.getPayload().toString();
        });
    }

    private Map<String, Object> verified(String text, Function<JWKMatcher, JWK> realmKeys) {
        Map<String, Object> header = header(text, 3, "not-signed");
        unless(!"none".equals(header.get("alg")), "unsecured");
        unless(agreed.signature.contains(String.valueOf(header.get("alg"))), "wrong-signature-algorithm");
        unless(Collections.disjoint(header.keySet(), Set.of("jwk", "jku", "x5c", "x5u")), "key-in-header");
        unless(TYPE.equals(header.get("typ")), "wrong-type");
        unless(header.get("kid") instanceof String, "unknown-key");
        JWSObject jws = attempt("malformed", () -> JWSObject.parse(text));
        JWK key = attempt("unknown-key", () -> realmKeys.apply(JWKMatcher.forJWSHeader(jws.getHeader())));
        boolean right = attempt("wrong-signature", () -> {
            Key realmKey = ((AsymmetricJWK) key).toPublicKey();
            return jws.verify(VERIFIERS.createJWSVerifier(jws.getHeader(), realmKey));
        });
        unless(right, "wrong-signature");
        return attempt("malformed", () -> jws.getPayload().toJSONObject());
    }

    private Map<String, Object> accepted(Map<String, Object> claims, String asked) {
        Object audience = claims.get("aud");
        unless(agreed.issuer.equals(claims.get("iss")), "wrong-issuer");
        unless(agreed.clientId.equals(audience) || List.of(agreed.clientId).equals(audience), "wrong-audience");
        unless(claims.get("iat") instanceof Number, "missing-iat");
        unless(age(claims, "iat") >= -LEEWAY_SECONDS, "issued-in-the-future");
        unless(age(claims, "iat") <= LEEWAY_SECONDS, "issued-too-long-ago");
        unless(age(claims, "exp") <= LEEWAY_SECONDS, "answer-expired");
        unless(age(claims, "nbf") >= -LEEWAY_SECONDS, "answer-not-yet-valid");
        unless(claims.get("token_introspection") != null, "missing-introspection");
        Map<String, Object> token =
                attempt("malformed-introspection", () -> JSONObjectUtils.getJSONObject(claims, "token_introspection"));
        unless(token.get("active") instanceof Boolean, "malformed-active");
        if (token.get("active").equals(false)) {
            return Map.of("active", false);
        }
        boolean texts = Stream.of("client_id", "scope").allMatch(name -> token.get(name) instanceof String)
                && Stream.of("acr", "jti").allMatch(name -> token.getOrDefault(name, "") instanceof String);
        unless(texts && token.getOrDefault("cnf", Map.of()) instanceof Map, "malformed-introspection");
        // A platform can be set to name nobody in an answer without scopes.
        unless(token.get("sub") instanceof String || token.get("scope").equals(""), "missing-subject");
        unless(age(token, "exp") <= LEEWAY_SECONDS, "token-expired");
        // The platform's tokens are JWTs with a jti. Only by that, an answer is not about another one.
        String payload = (asked + ".").split("\\.", -1)[1];
        Map<String, Object> jwt = attempt("other-token", () -> new Payload(new Base64URL(payload)).toJSONObject());
        unless(jwt.get("jti") instanceof String jti && jti.equals(token.get("jti")), "other-token");
        return token;
    }

    /** @return seconds, 0 if there is no such time, and NaN, which is never right, for what is no number */
    private double age(Map<String, Object> claims, String name) {
        long now = agreed.clock.instant().getEpochSecond();
        return claims.getOrDefault(name, now) instanceof Number time ? now - time.doubleValue() : Double.NaN;
    }

    /** @return the header of a compact JWE or JWS. Base64url has to be in its only spelling, or changed copies would pass */
    private static Map<String, Object> header(String compact, int parts, String reason) {
        String[] all = compact.split("\\.", -1);
        unless(all.length == parts, reason);
        unless(Stream.of(all).allMatch(AnswerReader::isCanonical), "malformed");
        Map<String, Object> header = attempt("malformed", () -> new Payload(new Base64URL(all[0])).toJSONObject());
        unless(!header.containsKey("crit"), "critical-header");
        return header;
    }

    private static boolean isCanonical(String base64Url) {
        return Base64URL.encode(new Base64URL(base64Url).decode()).toString().equals(base64Url);
    }
}
