package io.github.checktoken.demo.pages.exchange;

import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.github.checktoken.support.client.Http;

/** Opens an answer and makes every check of the data provider guide, in its order, until one fails. */
public final class AnswerOpener {

    private static final Duration OLDEST = Duration.ofMinutes(1);

    private final String realmUrl;
    private final DataProvider provider;
    private final Checklist checks;
    private JsonNode encryption;
    private JsonNode signature;
    private JsonNode payload;

    private AnswerOpener(String realmUrl, DataProvider provider, Checklist checks) {
        this.realmUrl = realmUrl;
        this.provider = provider;
        this.checks = checks;
    }

    /** Opens what somebody else has received. */
    public static OpenedAnswer open(String realmUrl, DataProvider provider, String answer) {
        return open(realmUrl, provider, answer, new Checklist());
    }

    static OpenedAnswer open(String realmUrl, DataProvider provider, String answer, Checklist checks) {
        AnswerOpener opener = new AnswerOpener(realmUrl, provider, checks);
        try {
            opener.open(answer);
        } catch (ParseException | JOSEException | AssertionError e) {
            checks.holds(opener.stage(), false, opener.expectation(), e.getMessage());
        }
        return new OpenedAnswer(opener.encryption, opener.signature, opener.payload, checks.all());
    }

    private void open(String answer) throws ParseException, JOSEException {
        JWEObject envelope = JWEObject.parse(answer);
        encryption = header(envelope.getHeader());
        String agreed = provider.encryption() + ", " + provider.content();
        String used =
                encryption.path("alg").asText() + ", " + encryption.path("enc").asText();
        if (!used.equals(agreed)) {
            checks.equal(Check.Name.DECRYPTION, agreed, used);
            return;
        }
        JWSObject signed = JWSObject.parse(provider.client().decrypt(answer));
        checks.equal(Check.Name.DECRYPTION, agreed, used);
        signature = header(signed.getHeader());
        if (verifies(signed)) {
            payload = Http.json(signed.getPayload().toString());
            checkPayload();
        }
    }

    private boolean verifies(JWSObject signed) throws ParseException, JOSEException {
        String kid = signed.getHeader().getKeyID();
        JWK published = JWKSet.parse(Http.json(Http.send(Http.request(realmUrl + "/protocol/openid-connect/certs")))
                        .toString())
                .getKeyByKeyId(kid);
        String alg = signed.getHeader().getAlgorithm().getName();
        boolean valid = alg.equals(provider.signature())
                && published != null
                && signed.verify(new DefaultJWSVerifierFactory()
                        .createJWSVerifier(signed.getHeader(), ((AsymmetricJWK) published).toPublicKey()));
        return checks.holds(Check.Name.SIGNATURE, valid, provider.signature(), alg + ", kid " + kid)
                && checks.equal(
                        Check.Name.TYP,
                        "token-introspection+jwt",
                        signature.path("typ").asText());
    }

    private void checkPayload() {
        Instant now = Instant.now();
        Instant made = Instant.ofEpochSecond(payload.path("iat").asLong());
        boolean recent = Duration.between(made, now).abs().compareTo(OLDEST) <= 0;
        if (checks.equal(
                        Check.Name.ISS,
                        realmUrl + "/api/v2",
                        payload.path("iss").asText())
                && checks.equal(
                        Check.Name.AUD,
                        provider.client().clientId(),
                        payload.path("aud").asText())
                && checks.holds(Check.Name.IAT, recent, "± " + OLDEST.toSeconds() + " s", made)) {
            checkToken(payload.path("token_introspection"));
        }
    }

    private void checkToken(JsonNode token) {
        String scope = token.path("scope").asText();
        boolean given = List.of(scope.split(" ")).contains(provider.scope());
        boolean person = Arrays.stream(new String[] {"family_name", "given_name", "birthdate"})
                .allMatch(token::has);
        if (checks.equal(Check.Name.ACTIVE, true, token.path("active").asBoolean())
                && checks.holds(Check.Name.SCOPE, given, provider.scope(), scope.isEmpty() ? "-" : scope)) {
            checks.holds(
                    Check.Name.IDENTITY,
                    person,
                    "given_name, family_name, birthdate",
                    token.path("given_name").asText() + ", "
                            + token.path("family_name").asText() + ", "
                            + token.path("birthdate").asText());
        }
    }

    /** What fails if the library cannot go on. */
    private Check.Name stage() {
        return signature == null ? Check.Name.DECRYPTION : Check.Name.SIGNATURE;
    }

    private String expectation() {
        return signature == null ? provider.encryption() + ", " + provider.content() : provider.signature();
    }

    /** @return the header as it was received, because nimbus' own maps have no order */
    private static JsonNode header(com.nimbusds.jose.Header header) {
        return Http.json(header.toBase64URL().decodeToString());
    }
}
