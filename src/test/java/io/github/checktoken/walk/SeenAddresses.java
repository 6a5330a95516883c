package io.github.checktoken.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.oracle.Login;

/**
 * What the addresses on pages and in redirects have shown so far. Keycloak's ids differ each time, so everything is kept
 * in the order in which it first appeared.
 */
final class SeenAddresses {

    private static final Pattern PROVIDER_LINK = Pattern.compile("/broker/([^/]+)/login");
    private static final Pattern LOGIN_ACTION = Pattern.compile("/login-actions/([a-z-]+)");

    private final Map<String, String> clients = new LinkedHashMap<>();
    private final Map<String, Login> logins = new LinkedHashMap<>();
    private final Map<String, List<String>> sessionCodes = new HashMap<>();
    private final Map<String, Set<String>> paths = new HashMap<>();
    private final Map<String, Set<String>> visits = new HashMap<>();
    private final Map<String, Map<String, Page.Kind>> executions = new HashMap<>();
    private final Map<String, String> pathsOfExecutions = new HashMap<>();
    private final Map<String, String> providerLinks = new LinkedHashMap<>();
    private final Map<String, Login> brokerStates = new LinkedHashMap<>();
    private final Set<String> linkingStates = new HashSet<>();

    /** Remembers an address of the realm that belongs to a login. */
    void add(String tabId, String address) {
        clients.putIfAbsent(tabId, Walk.parameter(address, "client_id"));
        String code = Walk.parameter(address, "session_code");
        if (code != null) {
            List<String> codes = sessionCodes.computeIfAbsent(tabId, key -> new ArrayList<>());
            codes.remove(code);
            codes.add(code);
        }
        Matcher action = LOGIN_ACTION.matcher(address);
        if (action.find()) {
            paths.computeIfAbsent(tabId, key -> new LinkedHashSet<>()).add(action.group(1));
        }
        Matcher provider = PROVIDER_LINK.matcher(address);
        if (provider.find()) {
            providerLinks.put(tabId + " " + provider.group(1), address);
        }
    }

    /** Remembers that a login action was opened, or a form submitted to it. */
    void addVisit(String tabId, String address) {
        Matcher action = LOGIN_ACTION.matcher(address);
        if (tabId != null && action.find()) {
            Set<String> visited = visits.computeIfAbsent(tabId, key -> new LinkedHashSet<>());
            visited.remove(action.group(1));
            visited.add(action.group(1));
        }
    }

    /** @return the login actions of this tab that were opened, the last one at the end */
    Set<String> visits(String tabId) {
        return visits.getOrDefault(tabId, Set.of());
    }

    /** Remembers which execution of a flow has shown a page of this kind. */
    void addExecution(String tabId, String execution, String address, Page.Kind kind) {
        executions.computeIfAbsent(tabId, key -> new LinkedHashMap<>()).put(execution, kind);
        pathsOfExecutions.putIfAbsent(execution, Walk.path(address));
    }

    /** @return whether an earlier page has shown this form's execution under the path of another flow */
    boolean isOfAnotherFlow(String address) {
        String path = Walk.path(address);
        return !pathsOfExecutions
                .getOrDefault(String.valueOf(Walk.parameter(address, "execution")), path)
                .equals(path);
    }

    /** @param linking whether the person is only linking an account of the provider */
    void addBrokerState(String state, Login login, boolean linking) {
        brokerStates.put(state, login);
        if (linking) {
            linkingStates.add(state);
        }
    }

    void addLogin(String tabId, Login login) {
        logins.putIfAbsent(tabId, login);
    }

    Login login(String tabId, Supplier<Login> otherwise) {
        return logins.computeIfAbsent(tabId, key -> otherwise.get());
    }

    /** @return the newest tab id of the login; null if no page has shown one */
    String tabIdOf(Login login) {
        return logins.entrySet().stream()
                .filter(entry -> entry.getValue() == login)
                .map(Map.Entry::getKey)
                .reduce((first, second) -> second)
                .orElse(null);
    }

    /** @return Keycloak's ids of the tabs */
    List<String> tabIds() {
        return new ArrayList<>(clients.keySet());
    }

    String clientOf(String tabId) {
        return clients.get(tabId);
    }

    /** @return the session codes that pages and redirects have shown, the newest last */
    List<String> sessionCodes(String tabId) {
        return sessionCodes.getOrDefault(tabId, List.of());
    }

    /** @return the newest session code; null if there is none */
    String sessionCode(String tabId) {
        List<String> codes = sessionCodes(tabId);
        return codes.isEmpty() ? null : codes.get(codes.size() - 1);
    }

    /** @return the login actions that addresses of this tab have named, such as {@code authenticate} */
    Set<String> paths(String tabId) {
        return paths.getOrDefault(tabId, Set.of());
    }

    /** @return the kind of the page that each execution has shown in this tab */
    Map<String, Page.Kind> executions(String tabId) {
        return executions.getOrDefault(tabId, Map.of());
    }

    /** @return the links to a provider, by the tab's id in Keycloak and the alias */
    Map<String, String> providerLinks() {
        return providerLinks;
    }

    Map<String, Login> brokerStates() {
        return brokerStates;
    }

    /** @return whether the login has sent no later request to a provider */
    boolean isNewestBrokerState(String state) {
        Login login = brokerStates.get(state);
        return brokerStates.entrySet().stream()
                .filter(entry -> entry.getValue() == login)
                .reduce((first, second) -> second)
                .map(last -> last.getKey().equals(state))
                .orElse(true);
    }

    boolean isLinking(String state) {
        return linkingStates.contains(state);
    }
}
