package io.github.checktoken.examples;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.sun.net.httpserver.HttpExchange;
import io.github.checktoken.support.client.Http;

/** What {@link FakePlatform} answers. Only the first is right. */
enum AnswerKind {
    RIGHT,
    SIGNED_BY_SOMEBODY_ELSE {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) throws JOSEException {
            answer.signer = new ECDSASigner(FakePlatform.STRANGER);
        }
    },
    SIGNED_WITH_A_KEY_THAT_IS_NOT_PUBLISHED {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) throws JOSEException {
            answer.signer = new ECDSASigner(FakePlatform.STRANGER);
            answer.signatureKid = FakePlatform.STRANGER.getKeyID();
        }
    },
    /** The realm's key, but not the algorithm that was agreed on. */
    SIGNED_WITH_RS256 {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) throws JOSEException {
            answer.signature = JWSAlgorithm.RS256;
            answer.signatureKid = FakePlatform.REALM_RSA.getKeyID();
            answer.signer = new RSASSASigner(FakePlatform.REALM_RSA);
        }
    },
    /** Anybody can do that, because the key is public. */
    SIGNED_WITH_THE_PUBLIC_KEY_AS_A_SECRET {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) throws JOSEException {
            answer.signature = JWSAlgorithm.HS256;
            answer.signer = new MACSigner(FakePlatform.REALM_EC.toECPublicKey().getEncoded());
        }
    },
    UNSECURED {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.signer = null;
        }
    },
    NOT_SIGNED {
        @Override
        String body(AnswerDraft answer, JWK recipient) throws JOSEException {
            return answer.encrypted(recipient);
        }
    },
    NOT_ENCRYPTED {
        @Override
        String body(AnswerDraft answer, JWK recipient) throws JOSEException {
            return answer.signed();
        }
    },
    JSON {
        @Override
        String body(AnswerDraft answer, JWK recipient) {
            return Http.JSON.valueToTree(AnswerDraft.introspection()).toString();
        }

        @Override
        String contentType() {
            return "application/json";
        }
    },
    JWE_IN_JSON {
        @Override
        String body(AnswerDraft answer, JWK recipient) throws JOSEException {
            return json(
                    List.of("protected", "encrypted_key", "iv", "ciphertext", "tag"),
                    answer.signedAndEncrypted(recipient));
        }
    },
    JWS_IN_JSON {
        @Override
        String body(AnswerDraft answer, JWK recipient) throws JOSEException {
            return answer.encrypted(json(List.of("protected", "payload", "signature"), answer.signed()), recipient);
        }
    },
    ENCRYPTED_TWICE {
        @Override
        String body(AnswerDraft answer, JWK recipient) throws JOSEException {
            return answer.encrypted(answer.signedAndEncrypted(recipient), recipient);
        }
    },
    UNKNOWN_CRITICAL_PARAMETER_IN_THE_JWE {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.criticalInJwe = true;
        }
    },
    UNKNOWN_CRITICAL_PARAMETER_IN_THE_JWS {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.criticalInJws = true;
        }
    },
    ENCRYPTED_WITH_A128GCM {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.contentEncryption = EncryptionMethod.A128GCM;
        }
    },
    /** The data provider's key, but not the algorithm that was agreed on. */
    KEY_ENCRYPTED_WITH_ANOTHER_ALGORITHM {
        @Override
        @SuppressWarnings("deprecation")
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.keyEncryption = answer.keyEncryption.equals(JWEAlgorithm.RSA_OAEP_256)
                    ? JWEAlgorithm.RSA_OAEP
                    : JWEAlgorithm.ECDH_ES_A256KW;
        }
    },
    NO_TYPE {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.type = null;
        }
    },
    /** An ID token or an access token, for example, which the realm signs with the same key. */
    ANOTHER_TYPE {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.type = "JWT";
        }
    },
    ANOTHER_ISSUER {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.issuer = platform.realmUrl();
        }
    },
    ANOTHER_AUDIENCE {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.audience = "dp-other";
        }
    },
    OLD {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.age(Duration.ofMinutes(2));
        }
    },
    OF_THE_FUTURE {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.age(Duration.ofMinutes(-2));
        }
    },
    WITHOUT_TIME {
        @Override
        void change(AnswerDraft answer, FakePlatform platform) {
            answer.issuedAt = null;
        }
    },
    EMPTY {
        @Override
        String body(AnswerDraft answer, JWK recipient) {
            return "";
        }
    },
    /** A page of a proxy, for example. */
    HTML {
        @Override
        String body(AnswerDraft answer, JWK recipient) {
            return "<!DOCTYPE html>\n<html lang=\"en\"><title>Back soon</title><p>We are at work.</p></html>\n";
        }

        @Override
        String contentType() {
            return "text/html";
        }
    },
    /** With many dots, because a program that makes a list of the parts then needs much memory. */
    OF_TEN_MEGABYTES {
        @Override
        String body(AnswerDraft answer, JWK recipient) {
            return "x.".repeat(5_000_000);
        }
    },
    /** To a host that gives the right answer. */
    REDIRECT {
        @Override
        void send(HttpExchange exchange, FakePlatform platform, String body) throws IOException {
            platform.redirect(exchange, 302);
        }
    },
    /** As {@link #REDIRECT}, but the client has to send the body again, with the token and the secret. */
    REDIRECT_OF_THE_BODY {
        @Override
        void send(HttpExchange exchange, FakePlatform platform, String body) throws IOException {
            platform.redirect(exchange, 307);
        }
    },
    /** The body does not come. */
    STALLED {
        @Override
        void send(HttpExchange exchange, FakePlatform platform, String body) throws IOException {
            platform.stall(exchange, contentType(), body.length());
        }
    };

    void change(AnswerDraft answer, FakePlatform platform) throws JOSEException {}

    String body(AnswerDraft answer, JWK recipient) throws JOSEException {
        return answer.signedAndEncrypted(recipient);
    }

    String contentType() {
        return "application/" + AnswerDraft.TYPE;
    }

    void send(HttpExchange exchange, FakePlatform platform, String body) throws IOException {
        FakePlatform.answer(exchange, contentType(), body);
    }

    /** @return the parts of the compact form in the flattened JSON form */
    private static String json(List<String> names, String compact) {
        ObjectNode json = Http.JSON.createObjectNode();
        String[] parts = compact.split("\\.");
        for (int i = 0; i < names.size(); i++) {
            json.put(names.get(i), parts[i]);
        }
        return json.toString();
    }
}
