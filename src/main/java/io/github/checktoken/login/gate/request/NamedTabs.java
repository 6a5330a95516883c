package io.github.checktoken.login.gate.request;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.OAuth2Constants;
import org.keycloak.authentication.actiontoken.DefaultActionToken;
import org.keycloak.broker.provider.util.IdentityBrokerState;
import org.keycloak.common.util.Base64Url;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionCompoundId;
import org.keycloak.sessions.RootAuthenticationSessionModel;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.databind.JsonNode;

/** The tabs of a browser that a request names, before anything of them is read. */
public record NamedTabs(KeycloakSession session, BrowserRequest request) {

    /** The ids of the authentication sessions in {@code DefaultActionToken} and in links that confirm an address or a link. */
    private static final List<String> TABS_OF_LINK =
            List.of(DefaultActionToken.JSON_FIELD_AUTHENTICATION_SESSION_ID, "oasid");

    private static final String RELAY_STATE = "RelayState";

    /**
     * The tabs that the request names: as a parameter of its address, or in the state that a provider sends back, which
     * Keycloak has made ({@code IdentityBrokerState}). An authorization request names none, because Keycloak makes a new
     * one for it.
     *
     * @return sorted, so that two requests take their locks in the same order
     */
    public List<String> ids() {
        if (!request.isForLoginActions() && !request.isForProvider()) {
            return List.of();
        }
        MultivaluedMap<String, String> query = session.getContext().getUri().getQueryParameters();
        Stream<String> named = Stream.concat(Stream.of(query.getFirst(Constants.TAB_ID)), tabsOfLink());
        return Stream.concat(named, states().map(NamedTabs::tabOfState))
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether one of them is a tab of this browser. */
    public boolean areIn(RootAuthenticationSessionModel root) {
        return ids().stream().anyMatch(root.getAuthenticationSessions()::containsKey);
    }

    /** Keycloak goes on in the tab that the link of a mail names if the address names one that was forked from it. */
    private Stream<String> tabsOfLink() {
        String payload = link();
        if (payload == null) {
            return Stream.empty();
        }
        try {
            JsonNode token = JsonSerialization.mapper.readTree(Base64Url.decode(payload));
            return TABS_OF_LINK.stream()
                    .map(claim -> token.path(claim).asText(""))
                    .map(id -> AuthenticationSessionCompoundId.encoded(id).getTabId());
        } catch (IOException | IllegalArgumentException e) {
            // Keycloak does not read it, either.
            return Stream.empty();
        }
    }

    /** @return the client_id of the client that the request names in the same way; null if it names none */
    public String clientId(RealmModel realm) {
        String named = session.getContext().getUri().getQueryParameters().getFirst(Constants.CLIENT_ID);
        return named != null
                ? named
                : states().findFirst()
                        .map(state -> IdentityBrokerState.encoded(state, realm).getClientId())
                        .orElse(null);
    }

    /** A SAML provider that begins the login itself chooses the RelayState, which then is no state of Keycloak's. */
    private Stream<String> states() {
        if (!request.isForProvider() || request.isBegunByProvider()) {
            return Stream.empty();
        }
        MultivaluedMap<String, String> query = session.getContext().getUri().getQueryParameters();
        MultivaluedMap<String, String> form =
                session.getContext().getHttpRequest().getDecodedFormParameters();
        return Stream.of(query, form)
                .flatMap(values -> Stream.of(values.getFirst(OAuth2Constants.STATE), values.getFirst(RELAY_STATE)))
                .filter(Objects::nonNull);
    }

    /**
     * @return the payload of the token in the link of a mail, which is opened in a tab of its own; null if the request is for
     *     none. The token's signature can be spelled in several ways
     */
    public String link() {
        String key = request.isForLink()
                ? session.getContext().getUri().getQueryParameters().getFirst(Constants.KEY)
                : null;
        return key == null ? null : key.replaceAll("^[^.]*\\.|\\.[^.]*$", "");
    }

    private static String tabOfState(String state) {
        String[] parts = state.split("\\.", 3);
        return parts.length > 1 ? parts[1] : null;
    }
}
