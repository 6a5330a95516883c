package io.github.checktoken.login.gate.honest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

import io.github.checktoken.support.client.Http;

/** A SAML client's request, which is not signed, and the answer. */
public final class SamlRequest {

    private static final String TEXT = """
            <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0" ID="ID_%s"
                    ForceAuthn="%s" IssueInstant="%s" Destination="%s" AssertionConsumerServiceURL="%s"><saml:Issuer
                    xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">%s</saml:Issuer></samlp:AuthnRequest>""";

    private SamlRequest() {}

    /** @return the address to which the browser is sent with it */
    static String url(String realmUrl, String client) {
        return url(realmUrl, client, false);
    }

    /** @param forced whether the user has to sign in again */
    public static String url(String realmUrl, String client, boolean forced) {
        String endpoint = realmUrl + "/protocol/saml";
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String request = TEXT.formatted(UUID.randomUUID(), forced, now, endpoint, HonestRealm.CALLBACK, client);
        return endpoint + "?SAMLRequest=" + Http.encode(Base64.getEncoder().encodeToString(deflated(request)));
    }

    /** @return the text of a message that came by redirect */
    static String inflated(String message) {
        InputStream deflated = new ByteArrayInputStream(Base64.getDecoder().decode(message));
        try (InputStream text = new InflaterInputStream(deflated, new Inflater(true))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] deflated(String text) {
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated, new Deflater(Deflater.DEFLATED, true))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return deflated.toByteArray();
    }
}
