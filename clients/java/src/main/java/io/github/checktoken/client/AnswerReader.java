package io.github.checktoken.client;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;

/** Decrypts and verifies an answer, in the order of the data provider guide's steps. */
final class AnswerReader {

    private static final String TYPE = "token-introspection+jwt";
    private static final int LEEWAY_SECONDS = 60;
    private static final Pattern COMPACT = Pattern.compile("[\\w.-]*");

    private final CheckToken.Builder agreed;

    AnswerReader(CheckToken.Builder agreed) {
        this.agreed = agreed;
    }

    /** @param keys finds the platform's key by {@code alg}, a space and {@code kid}, or null */
    Answer read(String token, String body, Function<String, JWSVerifier> keys) {
        Reason.TOO_LARGE.unless(body.length() <= CheckToken.MAX_CHARACTERS);
        try {
            Map<String, Object> claims = json(verified(decrypted(body), keys));
            checkEnvelope(claims);
            return answer(token, members(claims.get("token_introspection")));
        } catch (ParseException | IllegalArgumentException e) {
            throw new CheckTokenException(Reason.MALFORMED);
        }
    }

    private String decrypted(String body) throws ParseException {
        String[] parts = body.split("\\.", -1);
        Reason.NOT_ENCRYPTED.unless(parts.length != 3 && !body.startsWith("{"));
        Reason.MALFORMED.unless(parts.length == 5 && COMPACT.matcher(body).matches());
        JWEObject jwe = JWEObject.parse(body);
        JWEHeader header = jwe.getHeader();
        Reason.CRITICAL_HEADER.unless(header.getCriticalParams() == null);
        Reason.WRONG_KEY_ENCRYPTION.unless(
                agreed.keyEncryption.contains(header.getAlgorithm().getName()));
        Reason.WRONG_CONTENT_ENCRYPTION.unless(
                agreed.contentEncryption.contains(header.getEncryptionMethod().getName()));
        Reason.COMPRESSED.unless(header.getCompressionAlgorithm() == null);
        Reason.NOT_SIGNED.unless("JWT".equals(header.getContentType()));
        JWK key = privateKey(header);
        try {
            jwe.decrypt(key instanceof RSAKey rsa ? new RSADecrypter(rsa) : new ECDHDecrypter((ECKey) key));
        } catch (JOSEException e) {
            throw new CheckTokenException(Reason.DECRYPTION_FAILED);
        }
        return jwe.getPayload().toString();
    }

    private JWK privateKey(JWEHeader header) {
        boolean rsa = header.getAlgorithm().getName().startsWith("RSA");
        return agreed.keys.stream()
                .filter(key -> Objects.equals(key.getKeyID(), header.getKeyID()) && key instanceof RSAKey == rsa)
                .findFirst()
                .orElseThrow(() -> new CheckTokenException(Reason.UNKNOWN_DECRYPTION_KEY));
    }

    private String verified(String jws, Function<String, JWSVerifier> keys) throws ParseException {
        String[] parts = jws.split("\\.", -1);
        Reason.NOT_SIGNED.unless(parts.length == 3 && COMPACT.matcher(jws).matches());
        Map<String, Object> header = json(new Base64URL(parts[0]).decodeToString());
        Reason.UNSECURED.unless(!"none".equals(header.get("alg")));
        Reason.WRONG_SIGNATURE_ALGORITHM.unless(agreed.signature.contains(String.valueOf(header.get("alg"))));
        Reason.CRITICAL_HEADER.unless(!header.containsKey("crit"));
        Reason.KEY_IN_HEADER.unless(Collections.disjoint(header.keySet(), Set.of("jwk", "jku", "x5c", "x5u")));
        Reason.WRONG_TYPE.unless(header.get("typ") instanceof String type && type.equalsIgnoreCase(TYPE));
        JWSVerifier key = keys.apply(header.get("alg") + " " + header.get("kid"));
        Reason.UNKNOWN_KEY.unless(key != null);
        JWSHeader algorithm = new JWSHeader(JWSAlgorithm.parse((String) header.get("alg")));
        byte[] input = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
        try {
            Reason.WRONG_SIGNATURE.unless(key.verify(algorithm, input, new Base64URL(parts[2])));
        } catch (JOSEException e) {
            throw new CheckTokenException(Reason.WRONG_SIGNATURE);
        }
        return new Base64URL(parts[1]).decodeToString();
    }

    private void checkEnvelope(Map<String, Object> claims) {
        Object audience = claims.get("aud");
        Reason.WRONG_ISSUER.unless(agreed.issuer.equals(claims.get("iss")));
        Reason.WRONG_AUDIENCE.unless(
                agreed.clientId.equals(audience) || List.of(agreed.clientId).equals(audience));
        Reason.MISSING_IAT.unless(claims.get("iat") instanceof Number);
        Reason.ISSUED_IN_THE_FUTURE.unless(!isAhead(claims.get("iat")));
        Reason.ISSUED_TOO_LONG_AGO.unless(!isPast(claims.get("iat")));
        Reason.ANSWER_EXPIRED.unless(!isPast(claims.get("exp")));
        Reason.ANSWER_NOT_YET_VALID.unless(!isAhead(claims.get("nbf")));
        Reason.MISSING_INTROSPECTION.unless(claims.containsKey("token_introspection"));
    }

    private Answer answer(String token, Map<String, Object> members) {
        Reason.MALFORMED_ACTIVE.unless(members.get("active") instanceof Boolean);
        if (members.get("active").equals(false)) {
            return new Answer.Inactive();
        }
        Reason.MALFORMED_INTROSPECTION.unless(
                members.get("sub") instanceof String && members.getOrDefault("scope", "") instanceof String);
        Reason.TOKEN_EXPIRED.unless(!isPast(members.get("exp")));
        Reason.OTHER_TOKEN.unless(isAbout(token, members.get("jti")));
        Set<String> bindings = members.containsKey("cnf")
                ? Set.copyOf(members(members.get("cnf")).keySet())
                : Set.of();
        Reason.MALFORMED_INTROSPECTION.unless(members.containsKey("cnf") == !bindings.isEmpty());
        Map<String, Object> claims = Collections.unmodifiableMap(members);
        return agreed.identity.stream().allMatch(name -> members.get(name) == null)
                ? new Answer.Machine(claims, bindings)
                : new Answer.Person(claims, bindings);
    }

    /** A token that is a JWT can have a {@code jti}, and the answer about it has the same one. */
    private static boolean isAbout(String token, Object jti) {
        String[] parts = token.split("\\.", -1);
        try {
            Object asked = parts.length == 3
                    ? json(new Base64URL(parts[1]).decodeToString()).get("jti")
                    : null;
            return asked == null || asked.equals(jti);
        } catch (ParseException e) {
            return true;
        }
    }

    static Map<String, Object> json(String text) throws ParseException {
        Map<String, Object> object = JSONObjectUtils.parse(text);
        if (object == null) {
            throw new ParseException("null", 0);
        }
        return object;
    }

    /** A time that is there and is no number counts as wrong in both directions. */
    private boolean isAhead(Object seconds) {
        return seconds != null && !(seconds instanceof Number time && time.doubleValue() <= now() + LEEWAY_SECONDS);
    }

    private boolean isPast(Object seconds) {
        return seconds != null && !(seconds instanceof Number time && time.doubleValue() >= now() - LEEWAY_SECONDS);
    }

    private long now() {
        return agreed.clock.instant().getEpochSecond();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(Object value) {
        Reason.MALFORMED_INTROSPECTION.unless(value instanceof Map);
        return (Map<String, Object>) value;
    }
}
