package io.github.checktoken.testkit;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.checktoken.testkit.CallError.Refusal;

/** Which data provider calls: by secret, in the body or as HTTP Basic, or by private_key_jwt (RFC 7523). */
final class ClientAuthentication {

    private static final String ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private final TestKit kit;
    private final Addresses addresses;
    private final Set<String> usedAssertions = ConcurrentHashMap.newKeySet();

    ClientAuthentication(TestKit kit, Addresses addresses) {
        this.kit = kit;
        this.addresses = addresses;
    }

    TestClient authenticate(Call call) throws Refusal {
        if (call.form().containsKey("client_assertion")) {
            return byAssertion(call);
        }
        if (call.authorization() != null) {
            return byBasic(call.authorization());
        }
        return bySecret(call.required("client_id"), call.required("client_secret"));
    }

    private TestClient byBasic(String authorization) throws Refusal {
        if (!authorization.regionMatches(true, 0, "Basic ", 0, 6)) {
            throw new Refusal(CallError.INVALID_CLIENT);
        }
        try {
            String[] idAndSecret = new String(
                            Base64.getDecoder()
                                    .decode(authorization.substring(6).strip()),
                            StandardCharsets.UTF_8)
                    .split(":", 2);
            if (idAndSecret.length == 2) {
                return bySecret(Call.decode(idAndSecret[0]), Call.decode(idAndSecret[1]));
            }
        } catch (IllegalArgumentException e) {
            // Not Base64: refused as a wrong secret is.
        }
        throw new Refusal(CallError.INVALID_CLIENT);
    }

    private TestClient bySecret(String clientId, String secret) throws Refusal {
        TestClient client = client(clientId);
        if (!client.secret().equals(secret)) {
            throw new Refusal(CallError.INVALID_CLIENT);
        }
        return client;
    }

    private TestClient byAssertion(Call call) throws Refusal {
        try {
            SignedJWT assertion = SignedJWT.parse(call.required("client_assertion"));
            JWTClaimsSet claims = assertion.getJWTClaimsSet();
            List<String> audience = claims.getAudience();
            boolean right = ASSERTION_TYPE.equals(call.form().get("client_assertion_type"))
                    && JWSAlgorithm.ES256.equals(assertion.getHeader().getAlgorithm())
                    && assertion.verify(new ECDSAVerifier((ECKey) kit.key("data-provider-assertion")))
                    && claims.getIssuer() != null
                    && claims.getIssuer().equals(claims.getSubject())
                    && call.form().getOrDefault("client_id", claims.getIssuer()).equals(claims.getIssuer())
                    && audience.size() == 1
                    && List.of(addresses.realm(), addresses.issuer()).contains(audience.get(0))
                    && claims.getExpirationTime() != null
                    && claims.getExpirationTime().after(new Date())
                    && claims.getJWTID() != null
                    && usedAssertions.add(claims.getJWTID());
            if (right) {
                return client(claims.getIssuer());
            }
        } catch (ParseException | JOSEException e) {
            // Refused as a wrong signature is.
        }
        throw new Refusal(CallError.INVALID_CLIENT);
    }

    private TestClient client(String clientId) throws Refusal {
        return kit.clients().stream()
                .filter(client -> client.clientId().equals(clientId))
                .findFirst()
                .orElseThrow(() -> new Refusal(CallError.INVALID_CLIENT));
    }
}
