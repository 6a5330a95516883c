package io.github.checktoken.examples;

import java.time.Duration;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
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
    };

    void change(AnswerDraft answer, FakePlatform platform) throws JOSEException {}

    String body(AnswerDraft answer, JWK recipient) throws JOSEException {
        return answer.signedAndEncrypted(recipient);
    }
}
