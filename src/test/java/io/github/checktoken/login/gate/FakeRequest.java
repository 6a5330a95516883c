package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.stream.Stream;

import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.core.UriInfo;

import org.keycloak.common.ClientConnection;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakUriInfo;
import org.keycloak.urls.HostnameProvider;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.support.Fake;

import static org.keycloak.urls.UrlType.FRONTEND;

public final class FakeRequest {

    private FakeRequest() {}

    /** @param path of a page of a realm, without a query */
    public static BrowserRequest of(FakeLogin login, String path) {
        UriInfo uri = Fake.of(
                UriInfo.class,
                Map.of(
                        "getPathSegments",
                        Stream.of(("realms/realm/" + path).split("/"))
                                .map(segment -> Fake.of(PathSegment.class, Map.of("getPath", segment)))
                                .toList()));
        KeycloakSession hostname =
                Fake.of(KeycloakSession.class, Map.of("getProvider", Fake.of(HostnameProvider.class, Map.of())));
        login.results.put(
                "getContext",
                Fake.of(
                        KeycloakContext.class,
                        Map.of(
                                "getUri",
                                new KeycloakUriInfo(hostname, FRONTEND, uri),
                                "getConnection",
                                Fake.of(ClientConnection.class, Map.of()))));
        return new BrowserRequest(login.session);
    }
}
