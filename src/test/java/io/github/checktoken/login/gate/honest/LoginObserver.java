package io.github.checktoken.login.gate.honest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.SameEachTime;

/** Notes everything that a login leaves: pages, tokens, events, and the notes of its sessions. */
public final class LoginObserver {

    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    private final HonestRealms realms;
    private final Database database;

    /** @param database the database of the server of the realms */
    public LoginObserver(HonestRealms realms, Database database) {
        this.realms = realms;
        this.database = database;
    }

    /** @return what was seen, by what it is; what differs from one login to the next is left out */
    public Map<String, String> observe(HonestLogin login) {
        HonestWalk walk = realms.walk(login);
        walk.prepare();
        HonestRealm realm = walk.realm();
        realm.admin().delete("/events");
        Map<String, String> seen = new LinkedHashMap<>();
        HonestTab tab = walk.signIn(Habit.ONCE);
        seen.put("pages", String.join("\n", tab.seen()));
        Tokens tokens = tab.tokens();
        if (tokens != null) {
            note(seen, "", tokens);
            further(seen, realm.client(tab.client()), tokens);
        } else {
            seen.put(
                    "SAML", SameEachTime.markup(SamlRequest.inflated(tab.shown().parameter("SAMLResponse"))));
        }
        String user = realm.admin().user(walk.person().name()).substring("/users/".length());
        seen.put("user sessions", userSessions(user));
        seen.put("client sessions", clientSessions(user));
        if (tokens != null && tokens.refreshToken() != null) {
            realm.client(tab.client()).logOut(tokens);
        }
        seen.put("events", events(realm));
        return seen;
    }

    private static void further(Map<String, String> seen, ServiceProvider client, Tokens tokens) {
        String path = "/protocol/openid-connect/token";
        Map<String, String> exchange = Map.of(
                "grant_type", EXCHANGE, "subject_token", tokens.accessToken(), "subject_token_type", ACCESS_TOKEN);
        note(seen, "exchanged ", Tokens.of(Http.json(client.post(path, exchange).body())));
        if (tokens.refreshToken() != null) {
            note(seen, "refreshed ", client.refresh(tokens));
        }
        JsonNode answer = Http.json(client.post(path + "/introspect", Map.of("token", tokens.accessToken())));
        seen.put("introspection", SameEachTime.json(answer));
    }

    private static void note(Map<String, String> seen, String how, Tokens tokens) {
        note(seen, how + "access token", tokens.accessToken());
        note(seen, how + "ID token", tokens.idToken());
        note(seen, how + "refresh token", tokens.refreshToken());
    }

    private static void note(Map<String, String> seen, String what, String token) {
        seen.put(what, token == null ? "none" : SameEachTime.json(Tokens.claims(token)));
    }

    private String userSessions(String user) {
        return sessions("SELECT OFFLINE_FLAG || DATA FROM OFFLINE_USER_SESSION WHERE USER_ID = '" + user + "'");
    }

    private String clientSessions(String user) {
        return sessions("SELECT C.OFFLINE_FLAG || C.DATA FROM OFFLINE_CLIENT_SESSION C JOIN OFFLINE_USER_SESSION U"
                + " ON C.USER_SESSION_ID = U.USER_SESSION_ID AND C.OFFLINE_FLAG = U.OFFLINE_FLAG WHERE U.USER_ID = '"
                + user + "'");
    }

    private String sessions(String query) {
        List<String> sessions = new ArrayList<>();
        for (String row : database.values(query)) {
            sessions.add(row.charAt(0) + " " + SameEachTime.json(Http.json(row.substring(1))));
        }
        Collections.sort(sessions);
        return String.join("\n", sessions);
    }

    private static String events(HonestRealm realm) {
        List<String> events = new ArrayList<>();
        for (JsonNode event : realm.admin().get("/events?max=1000")) {
            ((ObjectNode) event).remove(List.of("id", "time", "realmId", "ipAddress"));
            events.add(SameEachTime.json(event));
        }
        Collections.sort(events);
        return String.join("\n", events);
    }
}
