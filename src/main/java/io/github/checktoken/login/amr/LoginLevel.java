package io.github.checktoken.login.amr;

import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.evidence.AuthenticationMethodUse;
import io.github.checktoken.login.evidence.LevelTimes;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.MaxAge;
import io.github.checktoken.login.evidence.ProviderLevel;
import io.github.checktoken.login.evidence.SingleSignOnAlone;

/** Determines the level of authentication that counts for a login, when it ends. */
record LoginLevel(
        AuthenticationSessionModel authSession,
        AuthenticatedClientSessionModel clientSession,
        LoginEvidence evidence,
        ProviderLevel provider,
        MaxAge maxAge) {

    /** A login without any level condition that proved who the person is, as in Keycloak. */
    private static final int IDENTIFIED = 1;

    private static final int NONE = 0;

    /**
     * Keycloak notes a level a moment before {@link LoginEvidence} notes the method that reached it, in the same request.
     */
    private static final int SECONDS_OF_A_REQUEST = 5;

    /** @return null if no level is known */
    Integer value() {
        Integer here = reachedHere();
        return provider.value() == null || here != null && here > provider.value() ? here : provider.value();
    }

    private Integer reachedHere() {
        int reached = reached();
        if (reached >= NONE) {
            return maxAge.isLimited() && !evidence.isForced() ? youngEnough(reached) : reached;
        }
        if (isSingleSignOn()) {
            return NONE;
        }
        return evidence.identifiesUserInThisLogin() ? IDENTIFIED : null;
    }

    /**
     * Keycloak copies the levels to the note for the user session at the end of the flow, but to the note of a logout if
     * the flow has just ended other sessions.
     *
     * @return the levels that the session has after this login, if the login does not continue an earlier one
     */
    LevelTimes times() {
        String copied = authSession.getUserSessionNotes().get(Constants.LOA_MAP);
        return LevelTimes.parse(copied == null ? authSession.getAuthNote(Constants.LOA_MAP) : copied)
                .upTo(reached())
                .plus(provider.times());
    }

    private int reached() {
        String level = authSession.getAuthNote(Constants.LEVEL_OF_AUTHENTICATION);
        return level == null ? Constants.NO_LOA : Integer.parseInt(level);
    }

    /** A level that this login itself has reached is always young enough. */
    private int youngEnough(int reached) {
        LevelTimes levels = LevelTimes.parse(clientSession.getUserSession().getNote(Constants.LOA_MAP))
                .upTo(reached);
        long begin = evidence.methods().uses().stream()
                .mapToLong(AuthenticationMethodUse::time)
                .min()
                .orElse(Long.MAX_VALUE);
        int young = levels.highestSince(Math.min(maxAge.since(), begin - SECONDS_OF_A_REQUEST));
        boolean reachedNow = !levels.times().containsKey(reached) && !isSingleSignOn();
        boolean allYoung = young == levels.highestSince(Long.MIN_VALUE);
        return reachedNow && allYoung ? reached : Math.min(reached, young);
    }

    /** Keycloak moves its note from one session to the other, after it has reported the login if {@code prompt=none}. */
    private boolean isSingleSignOn() {
        return AuthenticatorUtil.isSSOAuthentication(authSession)
                || SingleSignOnAlone.isNoted(authSession)
                || AuthenticationManager.isSSOAuthentication(clientSession);
    }
}
