package io.github.checktoken.client;

import java.security.PublicKey;
import java.text.ParseException;
import java.util.*;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.nimbusds.jose.*;
import com.nimbusds.jose.crypto.*;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.*;
import com.nimbusds.jose.util.*;

import static io.github.checktoken.client.CheckTokenException.unless;

/** Decrypts and verifies an answer (RFC 9701 section 5), in the order of the data provider guide's steps. */
final class AnswerReader {

    private static final String TYPE = "token-introspection+jwt";
    private static final Pattern COMPACT = Pattern.compile("[\\w.-]+");
    private static final int LEEWAY_SECONDS = 60;
    private static final DefaultJWSVerifierFactory VERIFIERS = new DefaultJWSVerifierFactory();

    private final CheckToken.Builder agreed;
    private final Map<String, JWEDecrypter> decrypters = new HashMap<>();

    AnswerReader(CheckToken.Builder agreed) {
        this.agreed = agreed;
        try {
            for (JWK key : agreed.keys) {
                JWEDecrypter own = key instanceof RSAKey rsa ? new RSADecrypter(rsa) : new ECDHDecrypter((ECKey) key);
                decrypters.put(key.getAlgorithm() + " " + key.getKeyID(), own);
            }
        } catch (JOSEException | ClassCastException e) {
            throw new CheckTokenException("configuration", " A private key cannot be used.");
        }
    }

    /** @return the member {@code token_introspection} */
    Map<String, Object> read(String asked, String body, Function<JWSHeader, JWK> keys) {
        unless(body.length() <= Platform.MAX_CHARACTERS, "too-large");
        try {
            return accepted(json(verified(decrypted(body), keys)), asked);
        } catch (ParseException | IllegalArgumentException | ClassCastException e) {
            throw new CheckTokenException("malformed", "");
        }
    }

    private String decrypted(String body) throws ParseException {
        unless(body.split("\\.", -1).length != 3 && !body.startsWith("{"), "not-encrypted");
        Map<String, Object> header = header(body, 5, "malformed");
        String name = header.get("alg") + " " + header.get("kid");
        unless(
                decrypters.keySet().stream().anyMatch(key -> key.startsWith(header.get("alg") + " ")),
                "wrong-key-encryption");
        unless(agreed.contentEncryption.contains(String.valueOf(header.get("enc"))), "wrong-content-encryption");
        unless(!header.containsKey("zip"), "compressed");
        unless("JWT".equals(header.get("cty")), "not-signed");
        unless(decrypters.containsKey(name), "unknown-decryption-key");
        JWEObject jwe = JWEObject.parse(body);
        try {
            jwe.decrypt(decrypters.get(name));
        } catch (JOSEException e) {
            throw new CheckTokenException("decryption-failed", "");
        }
        return jwe.getPayload().toString();
    }

    private String verified(String text, Function<JWSHeader, JWK> keys) throws ParseException {
        Map<String, Object> header = header(text, 3, "not-signed");
        unless(!"none".equals(header.get("alg")), "unsecured");
        unless(agreed.signature.contains(String.valueOf(header.get("alg"))), "wrong-signature-algorithm");
        unless(Collections.disjoint(header.keySet(), Set.of("jwk", "jku", "x5c", "x5u")), "key-in-header");
        unless(TYPE.equals(header.get("typ")), "wrong-type");
        unless(header.get("kid") instanceof String, "unknown-key");
        JWSObject jws = JWSObject.parse(text);
        JWK key = keys.apply(jws.getHeader());
        unless(key != null, "unknown-key");
        try {
            PublicKey realmKey = ((AsymmetricJWK) key).toPublicKey();
            unless(jws.verify(VERIFIERS.createJWSVerifier(jws.getHeader(), realmKey)), "wrong-signature");
        } catch (JOSEException e) {
            throw new CheckTokenException("wrong-signature", "");
        }
        return jws.getPayload().toString();
    }

    private Map<String, Object> accepted(Map<String, Object> claims, String asked) {
        List<Object> us = List.of(agreed.clientId, List.of(agreed.clientId));
        unless(agreed.issuer.equals(claims.get("iss")), "wrong-issuer");
        unless(claims.get("aud") != null && us.contains(claims.get("aud")), "wrong-audience");
        unless(claims.get("iat") instanceof Number, "missing-iat");
        unless(age(claims, "iat") >= -LEEWAY_SECONDS, "issued-in-the-future");
        unless(age(claims, "iat") <= LEEWAY_SECONDS, "issued-too-long-ago");
        unless(age(claims, "exp") <= LEEWAY_SECONDS, "answer-expired");
        unless(age(claims, "nbf") >= -LEEWAY_SECONDS, "answer-not-yet-valid");
        unless(claims.containsKey("token_introspection"), "missing-introspection");
        unless(claims.get("token_introspection") instanceof Map, "malformed-introspection");
        Map<String, Object> token = members(claims.get("token_introspection"));
        unless(token.get("active") instanceof Boolean, "malformed-active");
        if (token.get("active").equals(false)) {
            return Map.of("active", false);
        }
        for (String name : List.of("client_id", "scope", "acr", "jti")) {
            boolean optional = name.length() == 3;
            unless(token.getOrDefault(name, optional ? "" : 0) instanceof String, "malformed-introspection");
        }
        unless(token.getOrDefault("cnf", Map.of()) instanceof Map, "malformed-introspection");
        // A platform can be set to name nobody in an answer without scopes.
        unless(token.get("sub") instanceof String || token.get("scope").equals(""), "missing-subject");
        unless(age(token, "exp") <= LEEWAY_SECONDS, "token-expired");
        unless(Objects.equals(jti(asked, token.get("jti")), token.get("jti")), "other-token");
        return token;
    }

    /** @return seconds, 0 if there is no such time, and NaN, which is never right, for what is no number */
    private double age(Map<String, Object> claims, String name) {
        Object time = claims.getOrDefault(name, agreed.clock.instant().getEpochSecond());
        return time instanceof Number number
                ? agreed.clock.instant().getEpochSecond() - number.doubleValue()
                : Double.NaN;
    }

    /** @return what a token that is a JWT calls itself: an answer must not be about another one */
    private static Object jti(String token, Object otherwise) {
        try {
            return json(new Base64URL(token.split("\\.", -1)[1]).decodeToString())
                    .getOrDefault("jti", otherwise);
        } catch (ParseException | IndexOutOfBoundsException e) {
            return otherwise;
        }
    }

    private static Map<String, Object> header(String compact, int parts, String reason) throws ParseException {
        String[] all = compact.split("\\.", -1);
        unless(all.length == parts && COMPACT.matcher(compact).matches(), reason);
        Map<String, Object> header = json(new Base64URL(all[0]).decodeToString());
        unless(!header.containsKey("crit"), "critical-header");
        return header;
    }

    static Map<String, Object> json(String text) throws ParseException {
        return Optional.ofNullable(JSONObjectUtils.parse(text)).orElseThrow(() -> new ParseException("null", 0));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> members(Object object) {
        return (Map<String, Object>) object;
    }
}
