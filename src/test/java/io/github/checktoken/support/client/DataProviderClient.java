package io.github.checktoken.support.client;

import java.net.http.HttpResponse;
import java.text.ParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.crypto.X25519Decrypter;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.support.server.LogSearch;

/**
 * A data provider that is built on nimbus-jose-jwt, like the clients of users, and on no main class of this project.
 */
public final class DataProviderClient {

    private final String realmUrl;
    private final String clientId;
    private final String secret;
    private final Map<String, JWK> earlierKeys = new ConcurrentHashMap<>();
    private volatile JWK privateKey;

    public DataProviderClient(String realmUrl, String clientId, String secret, JWK privateKey) {
        this.realmUrl = realmUrl;
        this.clientId = clientId;
        this.secret = secret;
        this.privateKey = privateKey;
        LogSearch.add("client secret", secret);
    }

    public String clientId() {
        return clientId;
    }

    public String secret() {
        return secret;
    }

    public JWK privateKey() {
        return privateKey;
    }

    /** Decrypts with another key from now on, but answers that are still encrypted to an earlier one with that one. */
    public void rotate(JWK next) {
        earlierKeys.put(privateKey.getKeyID(), privateKey);
        privateKey = next;
    }

    /** Posts a token and reads the answer. */
    public Answer check(String token) {
        HttpResponse<String> response = post(token);
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + ": " + response.body());
        }
        return read(response.body());
    }

    public HttpResponse<String> post(String token) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("client_id", clientId);
        form.put("client_secret", secret);
        form.put("token", token);
        return Http.send(Http.form(url(), form));
    }

    public String url() {
        return realmUrl + "/api/v2/checktoken";
    }

    /** Decrypts an answer with the private key, and verifies it with the key that the realm publishes. */
    public Answer read(String jwe) {
        try {
            JWEObject encrypted = JWEObject.parse(jwe);
            encrypted.decrypt(decrypter(encrypted));
            JWSObject signed = encrypted.getPayload().toJWSObject();
            JWK published = publishedKey(signed.getHeader().getKeyID());
            if (!verifies(signed, published)) {
                throw new AssertionError("The signature is not by the published key " + published.getKeyID());
            }
            Answer answer = new Answer(
                    encrypted.getHeader(),
                    signed.getHeader(),
                    signed.getPayload().toJSONObject());
            AnswerMembers.check(answer);
            return answer;
        } catch (ParseException | JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** @return the signed answer inside, which only this data provider can decrypt */
    public String decrypt(String jwe) {
        try {
            JWEObject encrypted = JWEObject.parse(jwe);
            encrypted.decrypt(decrypter(encrypted));
            String signed = encrypted.getPayload().toString();
            LogSearch.add("decrypted answer", signed);
            return signed;
        } catch (ParseException | JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private JWEDecrypter decrypter(JWEObject encrypted) throws JOSEException {
        String kid = encrypted.getHeader().getKeyID();
        JWK key = kid == null ? privateKey : earlierKeys.getOrDefault(kid, privateKey);
        if (key instanceof RSAKey rsa) {
            return new RSADecrypter(rsa);
        }
        return key instanceof ECKey ec ? new ECDHDecrypter(ec) : new X25519Decrypter((OctetKeyPair) key);
    }

    private JWK publishedKey(String kid) throws ParseException {
        JWKSet jwks = JWKSet.parse(Http.json(Http.send(Http.request(realmUrl + "/protocol/openid-connect/certs")))
                .toString());
        JWK key = jwks.getKeyByKeyId(kid);
        if (key == null) {
            throw new AssertionError("The realm does not publish a key " + kid);
        }
        return key;
    }

    private static boolean verifies(JWSObject signed, JWK key) throws JOSEException {
        if (key instanceof OctetKeyPair okp) {
            return signed.verify(new com.nimbusds.jose.crypto.Ed25519Verifier(okp));
        }
        return signed.verify(new DefaultJWSVerifierFactory()
                .createJWSVerifier(signed.getHeader(), ((AsymmetricJWK) key).toPublicKey()));
    }
}
