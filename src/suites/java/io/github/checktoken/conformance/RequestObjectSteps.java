package io.github.checktoken.conformance;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.github.checktoken.support.client.JwksServer;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

/** The steps about request objects (OpenID Connect Core section 6). */
record RequestObjectSteps(TestInstance test) {

    /** @param outside parameters that are different outside of the object */
    void byValue(Map<String, String> outside) {
        Map<String, String> request = test.register();
        HttpResponse<String> page = send(request, "request", object(request, false), outside);
        // The server may also show an error page if a parameter is different (Core 6.1).
        if (outside.isEmpty() || page.statusCode() < 400) {
            test.complete(test.signIn(page), request);
        }
    }

    void byReference(boolean isSigned) {
        Map<String, String> request = test.register();
        test.host().behave(JwksServer.body(200, "application/jwt", object(request, isSigned)));
        test.complete(test.signIn(send(request, "request_uri", test.host().url(), Map.of())), request);
    }

    /** Sends outside of the object, too, what OAuth demands there (Core 6.1). */
    private HttpResponse<String> send(
            Map<String, String> request, String parameter, String value, Map<String, String> outside) {
        Map<String, String> sent = new HashMap<>(request);
        sent.keySet().removeAll(Set.of("state", "nonce"));
        sent.putAll(outside);
        sent.put(parameter, value);
        return test.open(sent);
    }

    private String object(Map<String, String> request, boolean isSigned) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder();
        request.forEach(claims::claim);
        claims.issuer(request.get("client_id")).audience(test.realm().issuer());
        if (!isSigned) {
            return new PlainJWT(claims.build()).serialize();
        }
        String kid = RegisteredClient.KEY.getKeyID();
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid).build();
        SignedJWT jwt = new SignedJWT(header, claims.build());
        assertDoesNotThrow(() -> jwt.sign(new RSASSASigner(RegisteredClient.KEY)));
        return jwt.serialize();
    }
}
