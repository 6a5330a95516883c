package io.github.checktoken.bench.load;

import java.text.ParseException;
import java.util.List;
import java.util.Map;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.checktoken.bench.server.PeerServer;
import io.github.checktoken.bench.server.ServerMeter;
import io.github.checktoken.support.client.Http;

/** The call about an active token, at the {@link PeerServer}. */
public record PeerIntrospection(PeerServer server, String baseline, LoadFiles files, int connections)
        implements Scenario {

    public static final String NAME = "node-oidc-provider, ES256, RSA-OAEP-256";

    private static final String ANSWER = "application/token-introspection+jwt";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ServerMeter meter() {
        return server.meter();
    }

    @Override
    public Wrk.Load checked() {
        String url = server.issuer() + "/token/introspection";
        Map<String, String> form = Introspection.form(server.client(), server.token());
        String answer = Http.send(Http.form(url, form).header("Accept", ANSWER)).body();
        check(server.client().decrypt(answer));
        return files.introspections(url, connections, List.of(form), ANSWER, "eyJ", answer.length());
    }

    private void check(String signed) {
        try {
            SignedJWT jwt = SignedJWT.parse(signed);
            JWKSet published = JWKSet.parse(Http.json(Http.send(Http.request(server.issuer() + "/jwks")))
                    .toString());
            ECKey key = published.getKeyByKeyId(jwt.getHeader().getKeyID()).toECKey();
            Map<String, Object> introspection = jwt.getJWTClaimsSet().getJSONObjectClaim("token_introspection");
            boolean right = jwt.verify(new ECDSAVerifier(key))
                    && introspection.get("active").equals(true)
                    && introspection.get("family_name").equals("Moreau");
            if (!right) {
                throw new AssertionError(NAME + ": a wrong answer");
            }
        } catch (ParseException | JOSEException e) {
            throw new AssertionError(e);
        }
    }
}
