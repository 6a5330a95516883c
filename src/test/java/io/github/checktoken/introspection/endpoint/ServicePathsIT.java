package io.github.checktoken.introspection.endpoint;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.openid.connect.sdk.SubjectType;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.RawHttp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the other paths of the service: the authorization redirect and the metadata of the introspection issuer. */
@ExtendWith(KeycloakExtension.class)
class ServicePathsIT {

    private final Federation federation;

    ServicePathsIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?scope=openid+given_name&state=%7e~'()*!&nonce=a%20b",
                "?claims=%7B%22id_token%22%3A%7B%22amr%22%3A%7B%22essential%22%3Atrue%7D%7D%7D&x=%c3%A9",
                "?a=1&a=2&&b&=c&d==;/?:@"
            })
    void authorizeRedirectsWithTheQueryUnchanged(String query) {
        for (String version : List.of("v1", "v2")) {
            HttpResponse<String> response =
                    Http.send(Http.request(federation.url() + "/api/" + version + "/authorize" + query));
            assertEquals(302, response.statusCode());
            assertEquals(
                    federation.url() + "/protocol/openid-connect/auth" + query,
                    response.headers().firstValue("Location").orElse(null));
            assertEquals(
                    "no-store", response.headers().firstValue("Cache-Control").orElse(null));
        }
    }

    /** OpenID Connect Core section 3.1.2.1: the parameters may come in a form. */
    @Test
    void authorizeSendsAFormOn() {
        HttpResponse<String> response =
                Http.send(Http.form(federation.url() + "/api/v1/authorize", Map.of("client_id", "sp-town")));
        assertEquals(307, response.statusCode());
        String location = response.headers().firstValue("Location").orElseThrow();
        assertEquals(federation.url() + "/protocol/openid-connect/auth", location);
        HttpResponse<String> page = Http.send(Http.form(
                location,
                Map.of(
                        "client_id", "sp-town",
                        "response_type", "code",
                        "scope", "openid",
                        "redirect_uri", "http://localhost:8999/sp-town/callback")));
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("kc-form-login"), page::body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
    void authorizeNamesItsMethods(String method) {
        HttpResponse<String> response = Http.send(Http.request(federation.url() + "/api/v1/authorize")
                .method(method, HttpRequest.BodyPublishers.noBody()));
        assertEquals(405, response.statusCode());
        assertEquals(
                "GET, HEAD, OPTIONS, POST",
                response.headers().firstValue("Allow").orElse(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE"})
    void metadataNameTheirMethods(String method) {
        HttpResponse<String> response =
                Http.send(Http.request(federation.url() + "/api/v2/.well-known/openid-configuration")
                        .method(method, HttpRequest.BodyPublishers.noBody()));
        assertEquals(405, response.statusCode());
        assertEquals(
                "GET, HEAD, OPTIONS", response.headers().firstValue("Allow").orElse(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openid-configuration", "oauth-authorization-server"})
    void metadataIsOfTheIntrospectionIssuer(String document) {
        String issuer = federation.url() + "/api/v2";
        HttpResponse<String> response = Http.send(Http.request(issuer + "/.well-known/" + document));

        JsonNode metadata = Http.json(response);
        assertEquals(issuer, metadata.get("issuer").asText());
        assertEquals(
                issuer + "/checktoken", metadata.get("introspection_endpoint").asText());
        assertEquals(
                federation.url() + "/protocol/openid-connect/certs",
                metadata.get("jwks_uri").asText());
        assertEquals("[]", metadata.path("grant_types_supported").toString());
        assertEquals(List.of("RS256", "ES256"), texts(metadata, "introspection_signing_alg_values_supported"));
        assertTrue(texts(metadata, "introspection_endpoint_auth_signing_alg_values_supported")
                .contains("ES256"));
        assertEquals(
                List.of(
                        "RSA-OAEP-256",
                        "RSA-OAEP",
                        "RSA-OAEP-384",
                        "RSA-OAEP-512",
                        "ECDH-ES",
                        "ECDH-ES+A128KW",
                        "ECDH-ES+A192KW",
                        "ECDH-ES+A256KW"),
                texts(metadata, "introspection_encryption_alg_values_supported"));
        assertEquals(
                List.of("A128GCM", "A192GCM", "A256GCM", "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"),
                texts(metadata, "introspection_encryption_enc_values_supported"));
        assertTrue(Set.copyOf(texts(metadata, "introspection_endpoint_auth_methods_supported"))
                .containsAll(
                        Set.of("client_secret_post", "client_secret_basic", "private_key_jwt", "tls_client_auth")));
    }

    @Test
    void metadataIsReadByALibraryForOpenIdConnect() throws ParseException {
        String issuer = federation.url() + "/api/v2";
        OIDCProviderMetadata metadata =
                OIDCProviderMetadata.parse(Http.send(Http.request(issuer + "/.well-known/openid-configuration"))
                        .body());

        assertEquals(issuer, metadata.getIssuer().getValue());
        assertEquals(List.of(SubjectType.PAIRWISE), metadata.getSubjectTypes());
        assertEquals(List.of(ResponseType.CODE), metadata.getResponseTypes());
    }

    /**
     * Without a fixed --hostname, the addresses in the metadata come from the request. So a shared cache must not give
     * them to other callers.
     */
    @ParameterizedTest
    @ValueSource(strings = {"openid-configuration", "oauth-authorization-server"})
    void metadataIsCachedByItsCallerAlone(String document) {
        HttpResponse<String> response = Http.send(Http.request(federation.url() + "/api/v2/.well-known/" + document));

        List<String> cacheControl = List.of(
                response.headers().firstValue("Cache-Control").orElseThrow().split(", "));
        assertTrue(cacheControl.containsAll(List.of("private", "max-age=300")), cacheControl.toString());
    }

    @Test
    void metadataNamesTheClientAuthenticatorsThatAreSwitchedOnNow() {
        String flow = "/authentication/flows/clients/executions";
        ObjectNode x509 = (ObjectNode) federation.admin().execution("clients", "client-x509");
        federation.admin().put(flow, x509.deepCopy().put("requirement", "DISABLED"));
        try {
            assertFalse(authenticationMethods().contains("tls_client_auth"));
            assertTrue(authenticationMethods().contains("private_key_jwt"));
        } finally {
            federation.admin().put(flow, x509);
        }
        assertTrue(authenticationMethods().contains("tls_client_auth"));
    }

    private List<String> authenticationMethods() {
        String document = federation.url() + "/api/v2/.well-known/openid-configuration";
        return texts(Http.json(Http.send(Http.request(document))), "introspection_endpoint_auth_methods_supported");
    }

    /** RFC 8414 section 3.1 puts the well-known part before the issuer's path. */
    @Test
    void metadataIsAlsoWhereOAuthClientsLookForIt() {
        String server = federation.server().baseUrl() + "/.well-known/oauth-authorization-server/realms/";

        assertEquals(
                Http.json(Http.send(Http.request(federation.url() + "/api/v2/.well-known/oauth-authorization-server"))),
                Http.json(Http.send(Http.request(server + federation.realm() + "/api/v2"))));
    }

    /** The name of a realm is decoded exactly once. The result is the name, even if it still looks encoded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "no-such-realm",
                "%25",
                "%256d%2561ster",
                "master%2faccount%2fx",
                "master%252faccount%252fx",
                "%252e%252e",
                "%ff",
                "%c3%28",
                "federation%0d%0aX:y",
                "federation%253bx=y"
            })
    void metadataOfNoRealmIsNotFound(String name) {
        String server = federation.server().baseUrl().toString();
        HttpResponse<String> keycloaks = Http.send(Http.request(server + "/realms/no-such-realm"));

        for (String address : List.of(
                "/.well-known/oauth-authorization-server/realms/" + name + "/api/v2",
                "/realms/" + name + "/api/v2/.well-known/oauth-authorization-server")) {
            HttpResponse<String> response = Http.send(Http.request(server + address));
            assertEquals(404, response.statusCode(), address);
            assertEquals(Http.json(keycloaks.body()), Http.json(response.body()), address);
        }
    }

    @Test
    void metadataOfRealmWithNulIsNotFound() {
        String server = federation.server().baseUrl() + "/.well-known/oauth-authorization-server/realms/";

        assertEquals(
                404, Http.send(Http.request(server + "federation%00/api/v2")).statusCode());
    }

    @ParameterizedTest
    @CsvSource({"a b, a%20b", "é, %C3%A9", "100%, 100%25", "%61, %2561"})
    void metadataIsAtTheEncodedNameOfTheRealm(String name, String encoded) {
        new AdminApi(federation.server(), "").create("", GivenKey.REALM.addTo(Map.of("realm", name, "enabled", true)));
        String server = federation.server().baseUrl().toString();
        String issuer = server + "/realms/" + encoded + "/api/v2";
        JsonNode metadata = Http.json(Http.send(Http.request(issuer + "/.well-known/oauth-authorization-server")));
        assertEquals(issuer, metadata.path("issuer").asText());
        assertEquals(
                metadata,
                Http.json(Http.send(Http.request(
                        server + "/.well-known/oauth-authorization-server/realms/" + encoded + "/api/v2"))));
        assertEquals(
                200, Http.send(Http.request(metadata.path("jwks_uri").asText())).statusCode());
    }

    @Test
    void metadataOfTheRealmItselfIsStillKeycloaks() {
        String address =
                federation.server().baseUrl() + "/.well-known/oauth-authorization-server/realms/" + federation.realm();
        HttpRequest.Builder preflight = Http.request(address).method("OPTIONS", HttpRequest.BodyPublishers.noBody());

        assertEquals(200, Http.send(preflight).statusCode());
        assertEquals(
                federation.url(),
                Http.json(Http.send(Http.request(address))).path("issuer").asText());
    }

    /**
     * RESTEasy throws if a filter reads the address of such a request. So our filters must not read it on paths where
     * they do not need it.
     */
    @Test
    void malformedHostHeaderIsNoServerErrorOnAPathThatNeedsNoAddress() throws IOException {
        String head = "GET /any HTTP/1.1\r\nHost: [\u0081]\r\nConnection: close\r\n\r\n";
        RawHttp.Response response = new RawHttp(federation.server().baseUrl()).sendLast(head, new byte[0]);
        assertEquals(404, response.status());
    }

    /**
     * Apart from amr, the claims and the members are those of Keycloak's own document. The identity provider's realm
     * does not report amr, so it has Keycloak's own document.
     */
    @Test
    void discoveryDocumentOfTheRealmHasAmrAmongItsClaims() {
        String document = "/.well-known/openid-configuration";
        JsonNode ours = Http.json(Http.send(Http.request(federation.url() + document)));
        String other = federation.server().realmUrl(federation.upstream()).toString();
        JsonNode keycloaks = Http.json(Http.send(Http.request(other + document)));

        List<String> claims = new ArrayList<>(texts(keycloaks, "claims_supported"));
        assertFalse(claims.contains("amr"));
        claims.add("amr");
        assertEquals(claims, texts(ours, "claims_supported"));
        assertEquals(fields(keycloaks), fields(ours));
        assertEquals(federation.url(), ours.path("issuer").asText());
    }

    @Test
    void unknownVersionsAreNotFound() {
        for (String path : List.of("/api/v3/authorize", "/api/v1/checktoken", "/api", "/api/v2/.well-known/other")) {
            assertEquals(404, Http.send(Http.request(federation.url() + path)).statusCode(), path);
        }
    }

    private static List<String> fields(JsonNode document) {
        List<String> names = new ArrayList<>();
        document.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static List<String> texts(JsonNode metadata, String member) {
        return Http.JSON.convertValue(
                metadata.get(member), Http.JSON.getTypeFactory().constructCollectionType(List.class, String.class));
    }
}
