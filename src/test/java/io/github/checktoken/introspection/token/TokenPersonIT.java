package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.RealmKeys;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.checktoken.introspection.token.TokenSource.OFFLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A token is active only if its person is the person of its session. */
@ExtendWith(KeycloakExtension.class)
class TokenPersonIT {

    private final Federation federation;
    private final AdminApi admin;
    private final DataProviderClient dataProvider;

    TokenPersonIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.dataProvider = federation.newDataProvider().create();
    }

    /** @param token gets a token of camille, with a subject that is not her user id */
    record Subject(String name, Function<TokenSource, String> token) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Subject> subjects() {
        return Stream.of(
                new Subject("pairwise", it -> signIn(it.pairwise())),
                new Subject(
                        "pairwise, refreshed", it -> it.refresh(it.pairwise().signIn("openid"))),
                new Subject("pairwise, offline", it -> it.refresh(it.pairwise().signIn(OFFLINE))),
                new Subject("pairwise, exchanged", it -> it.exchanged(signIn(it.pairwise()))),
                new Subject("pairwise, lightweight", it -> signIn(it.pairwise().lightweight())),
                new Subject("username", it -> signIn(it.mappingUsername(true))),
                new Subject("username, not when introspected", it -> signIn(it.mappingUsername(false))),
                new Subject("one for all", it -> {
                    it.mapping("sub", "citizen");
                    return signIn(it);
                }),
                new Subject("none", it -> signIn(it.withoutSubject())),
                new Subject(
                        "none, offline", it -> it.refresh(it.withoutSubject().signIn(OFFLINE))),
                new Subject(
                        "none, lightweight", it -> signIn(it.withoutSubject().lightweight())));
    }

    /** Whether its own tokens are lightweight ones, says nothing about those of the service provider. */
    @Test
    void otherSubjectIsActiveForADataProviderWithLightweightTokensToo() {
        DataProviderClient lightweight = federation
                .newDataProvider()
                .attribute("client.use.lightweight.access.token.enabled", "true")
                .create();
        try (TokenSource source = new TokenSource(federation)) {
            source.mapping("sub", "citizen");

            assertTrue(lightweight.check(signIn(source)).active());
        }
    }

    /** An honest service provider may have any subject. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void otherSubjectOfTheSamePersonIsActive(Subject subject) {
        try (TokenSource source = new TokenSource(federation)) {
            String token = subject.token().apply(source);

            assertNotEquals(id("camille"), Tokens.claims(token).path("sub").asText());
            assertEquals(
                    subjectOf("camille"),
                    dataProvider.check(token).introspection().get("sub"));
        }
    }

    /**
     * @param setUp changes the service provider
     * @param scope of the login
     */
    record Kind(String name, UnaryOperator<TokenSource> setUp, String scope) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("online", it -> it, "openid"),
                new Kind("offline", it -> it, OFFLINE),
                new Kind("pairwise", TokenSource::pairwise, "openid"),
                new Kind("pairwise, offline", TokenSource::pairwise, OFFLINE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void tokenThatNamesAnotherPersonThanItsSessionIsNotActive(Kind kind) throws JOSEException {
        try (TokenSource source = kind.setUp().apply(new TokenSource(federation));
                RealmKeys keys = new RealmKeys(admin)) {
            RSAKey key = keys.addKnown(0);
            ObjectNode camille = (ObjectNode) source.signIn(kind.scope()).accessClaims();
            Tokens lucien = source.serviceProvider().signIn("lucien", kind.scope());
            assertTrue(dataProvider.check(InactiveTokenIT.signed(key, camille)).active());

            camille.set("sub", lucien.accessClaims().get("sub"));
            assertInactive(InactiveTokenIT.signed(key, camille), "Its subject is not the session's user");
        }
    }

    /** Whose session it was, is not known any more. */
    @Test
    void tokenThatNamesADeletedUserIsNotActive() throws JOSEException {
        try (RealmKeys keys = new RealmKeys(admin)) {
            RSAKey key = keys.addKnown(0);
            ObjectNode claims =
                    (ObjectNode) federation.town().signIn("camille", "openid").accessClaims();
            claims.put("sub", "0a2c4e6b-1d3f-4a5b-8c7d-9e0f1a2b3c4d");
            assertInactive(InactiveTokenIT.signed(key, claims), "Its subject is not the session's user");
        }
    }

    /** The person of the session is told, whatever the service provider's mapper says. */
    @Test
    void mapperOfTheServiceProviderDoesNotChooseThePerson() {
        try (TokenSource source = new TokenSource(federation)) {
            source.mapping("sub", id("camille"));
            source.mapping("preferred_username", "camille");
            Answer answer = dataProvider.check(
                    source.serviceProvider().signIn("lucien", "openid").accessToken());

            assertNotEquals(subjectOf("camille"), answer.introspection().get("sub"));
        }
    }

    @Test
    void mapperOfTheServiceProviderDoesNotChooseTheSession() {
        try (TokenSource source = new TokenSource(federation)) {
            Tokens camille = source.signIn("openid");
            source.mapping("sid", sessionId(camille));
            source.mapping("sub", id("camille"));
            String token = source.serviceProvider().signIn("lucien", "openid").accessToken();

            assertNotEquals(
                    subjectOf("camille"),
                    dataProvider.check(token).introspection().get("sub"));
        }
    }

    static Stream<Kind> offline() {
        return Stream.of(new Kind("user id", it -> it, OFFLINE), new Kind("pairwise", TokenSource::pairwise, OFFLINE));
    }

    /** An offline session can outlive the online session of the same id, which then becomes another person's. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("offline")
    void offlineSessionOfAnotherPersonIsNotTold(Kind kind) {
        try (TokenSource source = kind.setUp().apply(new TokenSource(federation))) {
            Browser browser = new Browser(federation.server());
            browser.get(source.serviceProvider().request().url());
            Tokens online = source.signIn(browser, "camille", "openid");
            Tokens camille = source.signIn(browser, "camille", OFFLINE);
            source.serviceProvider().revoke(online.refreshToken());
            Tokens lucien = source.signIn(browser, "lucien", OFFLINE);
            boolean sameId = sessionId(camille).equals(sessionId(lucien));

            Object told =
                    dataProvider.check(lucien.accessToken()).introspection().get("sub");
            assertNotEquals(subjectOf("camille"), told, () -> "the same session id: " + sameId);
        }
    }

    private static String sessionId(Tokens tokens) {
        return tokens.accessClaims().get("sid").asText();
    }

    private static String signIn(TokenSource source) {
        return source.signIn("openid").accessToken();
    }

    private String id(String username) {
        return admin.user(username).substring("/users/".length());
    }

    /** @return the subject that the data provider knows this person by */
    private Object subjectOf(String username) {
        Object subject = dataProvider
                .check(federation.town().signIn(username, "openid").accessToken())
                .introspection()
                .get("sub");
        assertTrue(subject != null);
        return subject;
    }

    private void assertInactive(String token, String reason) {
        DataProviderClient own = federation.newDataProvider().create();
        assertEquals(Map.of("active", false), own.check(token).introspection());
        assertEquals(
                reason,
                admin.get("/events?client=" + own.clientId())
                        .get(0)
                        .at("/details/reason")
                        .asText());
    }
}
