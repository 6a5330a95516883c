package io.github.checktoken.login.gate.request;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.PathSegment;

import org.keycloak.common.util.Base64Url;
import org.keycloak.cookie.CookieProvider;
import org.keycloak.cookie.CookieType;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.util.TokenUtil;

/** What a request says of itself: the page that it is for, and the root authentication session that its cookie names. */
public record BrowserRequest(KeycloakSession session) {

    static final String LOGIN_ACTIONS = "login-actions";

    private static final Set<String> PAGES_OF_OPENID_CONNECT = Set.of("auth", "registrations", "forgot-credentials");

    /**
     * Whether the request is for this page of the login actions. The address decides, and not the note of the current flow.
     */
    public boolean isForPage(String page) {
        return realmPath().equals(List.of(LOGIN_ACTIONS, page));
    }

    /**
     * Whether the request opens a link of a mail. Keycloak takes a link from a form for the reset of credentials, too, but
     * ignores it in the address of that page.
     */
    public boolean isForLink() {
        return isForPage("action-token")
                || isForPage(LoginActionsService.RESET_CREDENTIALS_PATH)
                        && session.getContext().getHttpRequest().getHttpMethod().equals(HttpMethod.POST)
                        && session.getContext().getUri().getQueryParameters().containsKey(Constants.KEY);
    }

    /** Whether the request is for a page with which a login begins. */
    public boolean isForFlow() {
        return isForPage(LoginActionsService.AUTHENTICATE_PATH)
                || isForPage(LoginActionsService.REGISTRATION_PATH)
                || isForPage(LoginActionsService.RESET_CREDENTIALS_PATH) && !isForLink();
    }

    /** Whether the request has a session code, with which Keycloak takes it for a form of a step of this authenticator. */
    public boolean isFormOf(String authenticator, RealmModel realm) {
        MultivaluedMap<String, String> query = session.getContext().getUri().getQueryParameters();
        String execution = query.getFirst(Constants.EXECUTION);
        AuthenticationExecutionModel step = execution == null || !query.containsKey(LoginActionsService.SESSION_CODE)
                ? null
                : realm.getAuthenticationExecutionById(execution);
        return step != null && authenticator.equals(step.getAuthenticator());
    }

    /** Whether the request is for {@code IdentityBrokerService}, such as the answer of an identity provider. */
    public boolean isForProvider() {
        return realmPath().stream().findFirst().filter("broker"::equals).isPresent();
    }

    /** Whether a provider sends the request, and not a page that follows its answer. */
    public boolean isAnswerOfProvider() {
        List<String> path = realmPath();
        return isForProvider() && path.size() > 2 && path.get(2).equals("endpoint");
    }

    /** Whether a SAML provider signs somebody in whom no client has sent there. */
    boolean isBegunByProvider() {
        List<String> path = realmPath();
        return isAnswerOfProvider() && path.size() == 5 && path.get(3).equals("clients");
    }

    /** Whether the request is for one of the login actions, and not for a protocol or the callback of a provider. */
    public boolean isForLoginActions() {
        List<String> path = realmPath();
        return path.size() > 1 && path.get(0).equals(LOGIN_ACTIONS);
    }

    /** @return the realm of the address */
    public String realmName() {
        return segments().get(1);
    }

    /**
     * The segments of the path below that of the realm, decoded and without empty ones, because Keycloak has the same page
     * if the address ends with a slash.
     */
    private List<String> realmPath() {
        return segments().stream().skip(2).toList();
    }

    private List<String> segments() {
        return session.getContext().getUri().getPathSegments().stream()
                .map(PathSegment::getPath)
                .filter(segment -> !segment.isEmpty())
                .dropWhile(segment -> !segment.equals("realms"))
                .toList();
    }

    /**
     * Whether the request is one of a browser in which somebody signs in. What programs ask for, and a logout, is no login;
     * the pages of protocols of other extensions may be one.
     */
    public boolean isForLogin() {
        List<String> path = realmPath();
        return switch (path.isEmpty() ? "" : path.get(0)) {
            case LOGIN_ACTIONS, "broker", "device" -> true;
            case "protocol" ->
                path.size() > 1 && !path.get(1).equals(OIDCLoginProtocol.LOGIN_PROTOCOL)
                        || path.size() > 2 && PAGES_OF_OPENID_CONNECT.contains(path.get(2));
            default -> false;
        };
    }

    /** Whether the request may show no page (OpenID Connect Core section 3.1.2.1). */
    public boolean isSilent() {
        return TokenUtil.hasPrompt(
                session.getContext().getUri().getQueryParameters().getFirst(OIDCLoginProtocol.PROMPT_PARAM),
                OIDCLoginProtocol.PROMPT_VALUE_NONE);
    }

    /**
     * Whether the browser's cookie names this session. An address can name a session before the cookie does, so the first
     * one that a request meets is not always the browser's.
     */
    public boolean hasCookieOf(String rootId) {
        String cookie = session.getProvider(CookieProvider.class).get(CookieType.AUTH_SESSION_ID);
        if (cookie == null) {
            return false;
        }
        try {
            // The id and its signature, then perhaps the route to a node.
            byte[] signed = Base64Url.decode(cookie.split("\\.", 2)[0]);
            return new String(signed, StandardCharsets.UTF_8).startsWith(rootId + ".");
        } catch (RuntimeException e) {
            // Not a value that Keycloak has set, so Keycloak does not read the session either.
            return false;
        }
    }
}
