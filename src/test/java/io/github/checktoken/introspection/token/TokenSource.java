package io.github.checktoken.introspection.token;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;

/**
 * A service provider for one test that gets every kind of access token and brings it into every state. It also asks
 * Keycloak's own introspection, with a client in the token's audience, as Keycloak requires.
 */
public final class TokenSource implements AutoCloseable {

    static final String OFFLINE = "openid offline_access";

    private static final String SECRET = "demo-secret";
    private static final String REDIRECT = "https://sp.example.org/callback";
    private static final String LIGHTWEIGHT = "client.use.lightweight.access.token.enabled";

    private final Federation federation;
    private final AdminApi admin;
    private final ServiceProvider serviceProvider;
    private final ServiceProvider audience;
    private final String path;
    private final String audiencePath;
    private Browser impersonating;

    public TokenSource(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        String addressee = "audience-" + UUID.randomUUID();
        String exchanger = "sp-" + UUID.randomUUID();
        audiencePath = create(addressee, Map.of());
        path = create(
                exchanger,
                Map.of(
                        "serviceAccountsEnabled",
                        true,
                        "redirectUris",
                        List.of(REDIRECT),
                        "attributes",
                        Map.of(
                                "standard.token.exchange.enabled", "true",
                                "oauth2.device.authorization.grant.enabled", "true"),
                        "defaultClientScopes",
                        List.of("basic", "acr"),
                        "optionalClientScopes",
                        List.of("offline_access"),
                        "protocolMappers",
                        List.of(inAudience(addressee), inAudience(exchanger))));
        audience = client(addressee);
        serviceProvider = client(exchanger);
    }

    public ServiceProvider serviceProvider() {
        return serviceProvider;
    }

    @Override
    public void close() {
        admin.delete(path);
        admin.delete(audiencePath);
    }

    public boolean activeForKeycloak(String token) {
        return Http.json(audience.post("/protocol/openid-connect/token/introspect", Map.of("token", token)))
                .get("active")
                .asBoolean();
    }

    /** What Keycloak tells the service provider, which asks about a token for it, for the token as a JWT, too. */
    JsonNode introspectionAskingForAJwt(String token) {
        attribute("client.introspection.response.allow.jwt.claim.enabled", "true");
        attribute("allow.token.introspection.without.audience.check", "true");
        return Http.json(Http.send(Http.form(
                        federation.url() + "/protocol/openid-connect/token/introspect",
                        Map.of(
                                "client_id", serviceProvider.clientId(),
                                "client_secret", serviceProvider.secret(),
                                "token", token))
                .setHeader("Accept", "application/jwt")));
    }

    /** Signs in with a new browser, or with the browser of the administrator who acts as the person. */
    Tokens signIn(String scope) {
        return impersonating == null
                ? serviceProvider.signIn("camille", scope)
                : ssoWithoutALevel(serviceProvider, scope);
    }

    /** From now on, an administrator signs in as the person, without the person's password. */
    TokenSource impersonated() {
        return impersonatedIn(new Browser(federation.server()));
    }

    /** The browser has the page of a login that began before. */
    TokenSource impersonatedAfterALoginPage() {
        Browser browser = new Browser(federation.server());
        browser.get(serviceProvider.request().url());
        return impersonatedIn(browser);
    }

    private TokenSource impersonatedIn(Browser browser) {
        impersonating = browser;
        impersonating.keepCookies(admin.send("POST", admin.user("camille") + "/impersonation", Map.of()));
        return this;
    }

    /**
     * Requests no level of authentication. The administrator's session has none, so Keycloak would ask for the
     * password.
     */
    Tokens ssoWithoutALevel(ServiceProvider serviceProvider, String scope) {
        return serviceProvider.redeem(impersonating.get(serviceProvider
                .request()
                .with("scope", scope)
                .without("acr_values")
                .url()));
    }

    /** Even with the password, it is still the session that the administrator began. */
    String impersonatedWithThePassword() {
        return serviceProvider.signIn(impersonating, "camille", "openid").accessToken();
    }

    public TokenSource lightweight() {
        attribute(LIGHTWEIGHT, "true");
        return this;
    }

    TokenSource lowerCaseType() {
        attribute("token.response.type.bearer.lower-case", "true");
        return this;
    }

    public String refresh(Tokens tokens) {
        return serviceProvider.refresh(tokens).accessToken();
    }

    String loggedOut(Tokens tokens) {
        serviceProvider.logOut(tokens);
        return tokens.accessToken();
    }

    String revoked(Tokens tokens) {
        serviceProvider.revoke(tokens.accessToken());
        return tokens.accessToken();
    }

    /** Logs out the online session of a second login. The token is of the first login, which has an offline session. */
    String offlineAfterTheOnlineSession() {
        Browser browser = new Browser(federation.server());
        Tokens offline = serviceProvider.signIn(browser, "camille", OFFLINE);
        serviceProvider.logOut(serviceProvider.signIn(browser, "camille", "openid"));
        return refresh(offline);
    }

    /** Gets the online token first, because Keycloak ends an online session that began with an offline token. */
    String impersonatedOfflineAfterTheOnlineSession() {
        Tokens online = signIn("openid");
        Tokens offline = signIn(OFFLINE);
        serviceProvider.logOut(online);
        return refresh(offline);
    }

    /** The administrator allows the device to act for the person, in the browser. */
    String impersonatedDevice() {
        JsonNode device =
                Http.json(serviceProvider.post("/protocol/openid-connect/auth/device", Map.of("scope", "openid")));
        HttpResponse<String> question =
                impersonating.get(device.get("verification_uri_complete").asText());
        impersonating.submit(question, Map.of("accept", "Yes"));
        return serviceProvider
                .token(Map.of(
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:device_code",
                        "device_code",
                        device.get("device_code").asText()))
                .accessToken();
    }

    /** @return a requesting party token of UMA, for the only resource that there is */
    public String withPermissions(String accessToken) {
        return permissionToken(accessToken).accessToken();
    }

    /** @param accessToken of any client. This service provider is the resource server */
    Tokens permissionToken(String accessToken) {
        protect(admin, path);
        return permissionToken(federation, accessToken, serviceProvider.clientId());
    }

    /** Makes a client a resource server with one resource, which everybody may use. */
    static void protect(AdminApi admin, String client) {
        if (!admin.get(client).path("authorizationServicesEnabled").asBoolean()) {
            admin.update(client, it -> it.put("authorizationServicesEnabled", true));
            admin.update(client + "/authz/resource-server", it -> it.put("policyEnforcementMode", "PERMISSIVE"));
            admin.post(client + "/authz/resource-server/resource", Map.of("name", "thing"));
        }
    }

    static Tokens permissionToken(Federation federation, String accessToken, String resourceServer) {
        return Tokens.of(Http.json(Http.send(Http.form(
                        federation.url() + "/protocol/openid-connect/token",
                        Map.of("grant_type", "urn:ietf:params:oauth:grant-type:uma-ticket", "audience", resourceServer))
                .header("Authorization", "Bearer " + accessToken))));
    }

    /** Uses Keycloak's first token exchange, which is a preview, with a service account that may impersonate. */
    String exchangedForAnotherPersons() {
        admin.post(
                admin.user("service-account-" + serviceProvider.clientId()) + "/role-mappings"
                        + admin.client("realm-management"),
                List.of(admin.get(admin.client("realm-management") + "/roles/impersonation")));
        return serviceProvider
                .token(Map.of(
                        "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token_type", "urn:ietf:params:oauth:token-type:access_token",
                        "subject_token", serviceAccount(),
                        "requested_subject", "camille"))
                .accessToken();
    }

    String sessionRevoked(Tokens offline) {
        String token = refresh(offline);
        serviceProvider.revoke(offline.refreshToken());
        return token;
    }

    String offlineWithoutConsent(Tokens offline) {
        String token = refresh(offline);
        admin.delete(admin.user("camille") + "/consents/" + serviceProvider.clientId());
        return token;
    }

    public String exchanged(String subject) {
        return serviceProvider
                .token(Map.of(
                        "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token_type", "urn:ietf:params:oauth:token-type:access_token",
                        "subject_token", subject))
                .accessToken();
    }

    String exchangedAfterTheSession() {
        Tokens subject = signIn("openid");
        String token = exchanged(subject.accessToken());
        serviceProvider.logOut(subject);
        return token;
    }

    String exchangedByADisabledClient() {
        String token = exchanged(signIn("openid").accessToken());
        disableServiceProvider();
        return token;
    }

    public String serviceAccount() {
        return serviceProvider.token(Map.of("grant_type", "client_credentials")).accessToken();
    }

    String serviceAccountRevoked() {
        String token = serviceAccount();
        serviceProvider.revoke(token);
        return token;
    }

    String serviceAccountOfADisabledClient() {
        String token = serviceAccount();
        disableServiceProvider();
        return token;
    }

    String serviceAccountWithADisabledUser() {
        String token = serviceAccount();
        admin.update(admin.user("service-account-" + serviceProvider.clientId()), user -> user.put("enabled", false));
        return token;
    }

    /**
     * Keycloak creates a session for a service account only if it gets a refresh token. Otherwise there is no session.
     */
    public String serviceAccountWithASession() {
        return withRefreshToken().accessToken();
    }

    String serviceAccountAfterItsSession() {
        return loggedOut(withRefreshToken());
    }

    public Tokens withRefreshToken() {
        attribute("client_credentials.use_refresh_token", "true");
        return serviceProvider.token(Map.of("grant_type", "client_credentials"));
    }

    /** Puts a claim into each token of the service provider. */
    public void mapping(String claim, String value) {
        admin.create(
                path + "/protocol-mappers/models",
                NewDataProvider.mapperJson(
                        claim,
                        "oidc-hardcoded-claim-mapper",
                        Map.of(
                                "claim.name",
                                claim,
                                "claim.value",
                                value,
                                "jsonType.label",
                                "String",
                                "access.token.claim",
                                "true")));
    }

    /** Puts a client into the audience of each token as well. */
    TokenSource addressing(String clientId) {
        admin.create(path + "/protocol-mappers/models", inAudience(clientId));
        return this;
    }

    /** Puts so many names that no client has, and one client, into the audience of each token. */
    void addressing(int unknown, String clientId) {
        for (int i = 0; i < unknown; i++) {
            addressing("unknown-" + i);
        }
        addressing(clientId);
    }

    /** Puts a client into the audience that Keycloak's introspection tells, and not into the tokens. */
    TokenSource addressingWhenIntrospected(String clientId) {
        admin.create(
                path + "/protocol-mappers/models",
                NewDataProvider.mapperJson(
                        "introspected audience " + clientId,
                        "oidc-audience-mapper",
                        Map.of("included.custom.audience", clientId, "introspection.token.claim", "true")));
        return this;
    }

    /** @return a new optional client scope that puts a client into the audience */
    String scopeAddressing(String clientId) {
        String name = "for-" + clientId;
        String id = admin.create(
                "/client-scopes",
                Map.of(
                        "name",
                        name,
                        "protocol",
                        "openid-connect",
                        "attributes",
                        Map.of("include.in.token.scope", "true"),
                        "protocolMappers",
                        List.of(inAudience(clientId))));
        admin.put(path + "/optional-client-scopes/" + id, Map.of());
        return name;
    }

    /** Adds a mapper of Keycloak that computes another subject for this service provider. */
    TokenSource pairwise() {
        admin.create(
                path + "/protocol-mappers/models",
                NewDataProvider.mapperJson(
                        "pairwise", "oidc-sha256-pairwise-sub-mapper", Map.of("pairwiseSubAlgorithmSalt", "salt")));
        return this;
    }

    /** @param introspected whether Keycloak's introspection computes it too */
    TokenSource mappingUsername(boolean introspected) {
        admin.create(
                path + "/protocol-mappers/models",
                NewDataProvider.mapperJson(
                        "username",
                        "oidc-usermodel-property-mapper",
                        Map.of(
                                "user.attribute", "username",
                                "claim.name", "sub",
                                "jsonType.label", "String",
                                "access.token.claim", "true",
                                "introspection.token.claim", "" + introspected)));
        return this;
    }

    /** Removes the client scope with the mapper that sets the subject. */
    TokenSource withoutSubject() {
        return without("basic");
    }

    /** Removes a default client scope. */
    TokenSource without(String scope) {
        admin.delete(path + "/default-client-scopes/" + admin.clientScope(scope));
        return this;
    }

    /** Keycloak's own acr mapper instead of ours. */
    TokenSource withKeycloaksAcr() {
        without("acr");
        admin.create(
                path + "/protocol-mappers/models",
                NewDataProvider.mapperJson(
                        "acr",
                        "oidc-acr-mapper",
                        Map.of("access.token.claim", "true", "introspection.token.claim", "true")));
        return this;
    }

    /** @param map the service provider's own names of levels, as JSON */
    TokenSource levels(String map) {
        attribute("acr.loa.map", map);
        return this;
    }

    /** Signs a person in with a browser that may already have a session. */
    Tokens signIn(Browser browser, String username, String scope) {
        return serviceProvider.signIn(browser, username, scope);
    }

    /** Single sign-on: the browser must have a session. Requests no level of authentication. */
    Tokens sso(Browser browser, String scope) {
        return serviceProvider.redeem(browser.get(serviceProvider
                .request()
                .with("scope", scope)
                .without("acr_values")
                .url()));
    }

    TokenSource withoutStandardExchange() {
        attribute("standard.token.exchange.enabled", "false");
        return this;
    }

    /** Uses Keycloak's own flow, because the demo realm has closed it. */
    TokenSource allowingDirectGrants() {
        String flow = admin.flow("direct grant");
        admin.update(
                path,
                it -> it.put("directAccessGrantsEnabled", true)
                        .putObject("authenticationFlowBindingOverrides")
                        .put("direct_grant", flow));
        return this;
    }

    /** @return an access token and a refresh token */
    Tokens exchangedWithRefreshToken(String subject) {
        attribute("standard.token.exchange.enableRefreshRequestedTokenType", "SAME_SESSION");
        return serviceProvider.token(Map.of(
                "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                "subject_token_type", "urn:ietf:params:oauth:token-type:access_token",
                "subject_token", subject,
                "requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token"));
    }

    /**
     * @return a token for camille without a session, for an assertion of an identity provider that knows her (RFC 7523)
     */
    String vouchedFor() {
        return vouchedFor("camille");
    }

    /** As {@link #vouchedFor()}, for another person. */
    public String vouchedFor(String username) {
        try (AssertionIdentityProvider provider = new AssertionIdentityProvider(federation, username)) {
            attribute("oauth2.jwt.authorization.grant.enabled", "true");
            attribute("oauth2.jwt.authorization.grant.idp", provider.alias());
            return serviceProvider
                    .token(Map.of(
                            "grant_type",
                            "urn:ietf:params:oauth:grant-type:jwt-bearer",
                            "assertion",
                            provider.assertion()))
                    .accessToken();
        }
    }

    private void disableServiceProvider() {
        admin.update(path, it -> it.put("enabled", false));
    }

    private void attribute(String name, String value) {
        admin.update(path, it -> ((ObjectNode) it.get("attributes")).put(name, value));
    }

    private String create(String clientId, Map<String, Object> members) {
        ObjectNode client = Http.JSON.valueToTree(members);
        return "/clients/"
                + admin.create("/clients", client.put("clientId", clientId).put("secret", SECRET));
    }

    private ServiceProvider client(String clientId) {
        return new ServiceProvider(federation.server(), federation.realm(), clientId, SECRET, REDIRECT);
    }

    /**
     * Puts a client into the audience of each token, also of lightweight ones. The service provider itself must be in
     * it to exchange a token.
     */
    static Map<String, Object> inAudience(String clientId) {
        return NewDataProvider.mapperJson(
                "audience " + clientId,
                "oidc-audience-mapper",
                Map.of(
                        "included.custom.audience", clientId,
                        "access.token.claim", "true",
                        "lightweight.claim", "true",
                        "introspection.token.claim", "true"));
    }
}
