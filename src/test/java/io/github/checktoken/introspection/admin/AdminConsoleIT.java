package io.github.checktoken.introspection.admin;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarFile;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.page.AdminConsolePage;
import io.github.checktoken.support.page.ClientPage;
import io.github.checktoken.support.page.MapperPage;
import io.github.checktoken.support.page.MappersPage;
import io.github.checktoken.support.page.ProviderInfoPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An administrator registers a data provider in the Admin Console, in a real browser. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminConsoleIT {

    private static final String MAPPER = "oidc-data-provider-mapper";
    private static final String SIGNATURE = "introspection.signed.response.alg";
    private static final String KEY_ENCRYPTION = "introspection.encrypted.response.alg";
    private static final String CONTENT_ENCRYPTION = "introspection.encrypted.response.enc";
    private static final String SALT = "pairwiseSubAlgorithmSalt";

    private final Federation federation;
    private final AdminApi admin;
    private final List<String> made = new ArrayList<>();
    private ChromeBrowser browser;
    private AdminConsolePage console;

    AdminConsoleIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeAll
    void signIn() {
        browser = ChromeBrowser.start(Locale.ENGLISH);
        console = AdminConsolePage.signIn(
                browser, federation.server(), "master", KeycloakServer.ADMIN, KeycloakServer.ADMIN_PASSWORD);
    }

    @AfterAll
    void cleanUp() {
        if (browser != null) {
            browser.close();
        }
        made.forEach(admin::delete);
    }

    @Test
    void registeredDataProviderReadsAnswers() throws IOException, JOSEException {
        RSAKey key = new RSAKeyGenerator(2048).keyID("console-key").generate();
        try (JwksServer jwks = new JwksServer(federation.server(), key)) {
            String id = client("dp-console", List.of());
            ClientPage client = console.client(federation.realm(), id);
            assertEquals("Client successfully updated", client.useJwksUrl(jwks.url()));
            browser.screenshot("keys");

            MappersPage mappers = client.dedicatedScope();
            MapperPage mapper = mappers.configureNew(MAPPER);
            mapper.fill("name", "Data provider");
            mapper.choose(SIGNATURE, "ES256");
            mapper.choose(CONTENT_ENCRYPTION, "A128CBC-HS256");
            mapper.fill(SALT, "salt typed in the console");
            assertEquals("Mapping successfully created", mapper.save());
            assertTrue(mappers.row("Data provider").contains("Token introspection"));
            browser.screenshot("mappers");

            String token =
                    federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
            Answer answer =
                    new DataProviderClient(federation.url(), "dp-console", "dp-console-secret", key).check(token);
            assertEquals("tax_income", answer.introspection().get("scope"));
            assertEquals("Moreau", answer.introspection().get("family_name"));
            assertEquals("ES256", answer.signature().getAlgorithm().getName());
            assertEquals(
                    Map.of("alg", "RSA-OAEP-256", "enc", "A128CBC-HS256", "cty", "JWT", "kid", "console-key"),
                    answer.encryption().toJSONObject());
        }
    }

    @Test
    void settingsAreDropdownsWithDefaults() {
        MapperPage mapper = newMapper(console, client("dp-console-defaults", List.of()));

        // Where nothing is chosen, the console shows the label.
        assertEquals("Signature", mapper.selected(SIGNATURE));
        assertEquals("RSA-OAEP-256", mapper.selected(KEY_ENCRYPTION));
        assertEquals("A256GCM", mapper.selected(CONTENT_ENCRYPTION));
        assertEquals(
                List.of("", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"),
                mapper.options(SIGNATURE));
        assertTrue(mapper.options(KEY_ENCRYPTION).containsAll(List.of("RSA-OAEP-256", "ECDH-ES")));
        assertTrue(mapper.options(CONTENT_ENCRYPTION).containsAll(List.of("A256GCM", "A128CBC-HS256")));
    }

    @Test
    void newMapperSignsWithEs256IfNothingIsChosen() {
        String id = client("dp-console-blank", List.of());
        MapperPage mapper = newMapper(console, id);
        mapper.fill("name", "Data provider");

        assertEquals("Mapping successfully created", mapper.save());
        assertEquals(
                "ES256",
                admin.get("/clients/" + id + "/protocol-mappers/models")
                        .get(0)
                        .path("config")
                        .path(SIGNATURE)
                        .asText());
    }

    @Test
    void settingsSpeakEnglish() {
        MapperPage mapper = newMapper(console, client("dp-console-english", List.of()));

        assertEquals(
                List.of(
                        "Mapper type",
                        "Name",
                        "Signature",
                        "Key encryption",
                        "Content encryption",
                        "Subject salt",
                        "Identity only with one of its scopes",
                        "Time of the login",
                        "Contact address"),
                mapper.labels());
        assertTrue(mapper.help(SIGNATURE).startsWith("How answers are signed (JWS alg)."));
        assertTrue(mapper.help(KEY_ENCRYPTION).startsWith("How the content key of an answer is encrypted"));
        assertTrue(mapper.help(CONTENT_ENCRYPTION).startsWith("How the content of an answer is encrypted"));
        assertTrue(mapper.help("config." + SALT).startsWith("Makes the subjects of this data provider unguessable."));
        browser.screenshot("mapper-english");
    }

    @Test
    void settingsSpeakFrenchToAFrenchAdministrator() {
        frenchAdministrator();
        String id = client("dp-console-french", List.of());
        try (ChromeBrowser french = ChromeBrowser.start(Locale.FRENCH)) {
            MapperPage mapper = newMapper(
                    AdminConsolePage.signIn(
                            french, federation.server(), federation.realm(), "console-admin", "demo-password"),
                    id);

            assertEquals(
                    List.of(
                            "Type de mappeur",
                            "Nom",
                            "Signature",
                            "Chiffrement de la clé",
                            "Chiffrement du contenu",
                            "Sel des sujets",
                            "Identité seulement avec un de ses scopes",
                            "Heure de la connexion",
                            "Adresse de contact"),
                    mapper.labels());
            french.screenshot("mapper-french");
            assertTrue(mapper.help(SIGNATURE).startsWith("Comment les réponses sont signées (alg du JWS)."));
            assertTrue(mapper.help("config." + SALT).startsWith("Rend les sujets de ce fournisseur de données"));
        }
    }

    /**
     * Keycloak saves a mapper inside a client's JSON without checking it, so the console can meet an unsupported value.
     * The console's own dropdown does not offer such a value.
     */
    @Test
    void unsupportedValueIsRefusedOnSave() {
        String id = client("dp-console-refused", List.of(mapper("none")));

        MapperPage mapper =
                console.client(federation.realm(), id).dedicatedScope().open("Data provider");
        String alert = mapper.save();
        browser.screenshot("refused");

        assertEquals(
                "Could not update mapping: '" + SIGNATURE + " is not supported: none'\n"
                        + "The setting " + SIGNATURE
                        + " does not support the value “none”. Choose one from its list.",
                alert);
    }

    @Test
    void unsupportedValueIsRefusedByTheAdminApi() {
        String id = client("dp-console-refused-api", List.of());

        HttpResponse<String> response =
                admin.send("POST", "/clients/" + id + "/protocol-mappers/models", mapper("{none}"));

        assertEquals(400, response.statusCode());
        assertEquals(
                "The setting " + SIGNATURE + " does not support the value “{none}”. Choose one from its list.",
                Http.json(response.body()).get("error_description").asText());
    }

    @Test
    void providerInfoListsTheProvidersWithTheVersion() throws IOException {
        String version;
        try (JarFile jar = new JarFile(System.getProperty("checktoken.jar"))) {
            version = jar.getManifest().getMainAttributes().getValue("Implementation-Version");
        }

        ProviderInfoPage providers = console.providerInfo();
        assertTrue(providers.providers("protocol-mapper").containsAll(List.of(MAPPER, "oidc-given-names-mapper")));
        String details = providers.details("realm-restapi-extension", "checktoken");
        browser.screenshot("provider-info");

        assertEquals("checktoken " + version, details.replaceAll("\\s+", " "));
    }

    private MapperPage newMapper(AdminConsolePage console, String client) {
        return console.client(federation.realm(), client).dedicatedScope().configureNew(MAPPER);
    }

    private static Map<String, Object> mapper(String signature) {
        return Map.of(
                "name",
                "Data provider",
                "protocol",
                "openid-connect",
                "protocolMapper",
                MAPPER,
                "config",
                Map.of(SIGNATURE, signature));
    }

    /** Creates a client as an administrator does with Create client: client authentication is on, the flow is off. */
    private String client(String clientId, List<Map<String, Object>> mappers) {
        String id = admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "protocol",
                        "openid-connect",
                        "publicClient",
                        false,
                        "secret",
                        clientId + "-secret",
                        "standardFlowEnabled",
                        false,
                        "defaultClientScopes",
                        List.of("identity"),
                        "optionalClientScopes",
                        List.of("tax_income"),
                        "protocolMappers",
                        mappers));
        made.add("/clients/" + id);
        return id;
    }

    private void frenchAdministrator() {
        String user = "/users/"
                + admin.create(
                        "/users",
                        Map.of(
                                "username",
                                "console-admin",
                                "enabled",
                                true,
                                "email",
                                "console-admin@example.org",
                                "firstName",
                                "Dominique",
                                "lastName",
                                "Admin",
                                "credentials",
                                List.of(DemoPerson.PASSWORD)));
        made.add(user);
        String management = admin.client("realm-management");
        admin.post(user + "/role-mappings" + management, List.of(admin.get(management + "/roles/realm-admin")));
    }
}
