package io.github.checktoken.introspection.token;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.type.TypeReference;
import io.github.checktoken.keycloak.ClientSessionLevel;

/**
 * The level of authentication of the login that a token comes from. A claim of the token may say less, and is not
 * believed if it says more: Keycloak's mapper tells the level of the client's last login.
 */
final class RecordedLevel {

    private static final TypeReference<Map<Integer, Long>> LEVELS = new TypeReference<>() {};

    private RecordedLevel() {}

    /** @return empty if no level is known */
    static Optional<Integer> of(TokenOrigin origin) {
        if (origin.isWithoutLogin()) {
            return Optional.empty();
        }
        AuthenticatedClientSessionModel clientSession = origin.clientSession();
        Optional<Integer> lowest = ClientSessionLevel.lowest(clientSession);
        return lowest.isEmpty()
                ? ofKeycloak(origin)
                : ClientSessionLevel.ofToken(clientSession, origin.tokenId())
                        .or(() -> lowest.filter(level -> !origin.mayBeExchange()))
                        .filter(level -> level >= Constants.MINIMUM_LOA);
    }

    /** In a realm in which no login is recorded. */
    private static Optional<Integer> ofKeycloak(TokenOrigin origin) {
        AuthenticatedClientSessionModel clientSession = origin.clientSession();
        return number(clientSession.getNote(Constants.LEVEL_OF_AUTHENTICATION))
                .filter(level -> level >= Constants.MINIMUM_LOA)
                .map(level -> origin.isRefresh() ? Math.min(level, firstLevel(clientSession)) : level)
                .or(() -> withoutLevel(origin));
    }

    /**
     * The level that the session had at the client's first login. Nothing tells whether the refresh token is of that login
     * or of a later one, which may have reached more.
     */
    private static int firstLevel(AuthenticatedClientSessionModel clientSession) {
        String levels = clientSession.getUserSession().getNote(Constants.LOA_MAP);
        try {
            return levels == null
                    ? Constants.MINIMUM_LOA
                    : JsonSerialization.mapper.readValue(levels, LEVELS).entrySet().stream()
                            .filter(reached -> reached.getValue() <= clientSession.getStarted())
                            .mapToInt(Map.Entry::getKey)
                            .max()
                            .orElse(Constants.MINIMUM_LOA);
        } catch (IOException e) {
            return Constants.MINIMUM_LOA;
        }
    }

    /** Keycloak's acr mapper gives a login whose flow reaches no level 1, and single sign-on 0. */
    private static Optional<Integer> withoutLevel(TokenOrigin origin) {
        if (AuthenticationManager.isSSOAuthentication(origin.clientSession())) {
            return Optional.of(Constants.MINIMUM_LOA);
        }
        // The exchange replaces the level of the client session with none.
        return origin.hasExchanged() || !origin.isLogin() && !origin.isOfLogin() ? Optional.empty() : Optional.of(1);
    }

    static Optional<Integer> number(String note) {
        try {
            return note == null ? Optional.empty() : Optional.of(Integer.valueOf(note));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
