package io.github.checktoken.login.pin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.utils.StringUtil;

/** What a user has entered to choose a PIN. */
record NewPinForm(MultivaluedMap<String, String> fields) {

    static final String CURRENT_FIELD = "pin-current";

    private static final String FIELD = "pin-new";
    private static final String CONFIRM_FIELD = "pin-confirm";
    private static final String BIRTHDATE = "birthdate";

    String current() {
        return fields.getFirst(CURRENT_FIELD);
    }

    String pin() {
        return fields.getFirst(FIELD);
    }

    boolean endsOtherSessions() {
        return "on".equals(fields.getFirst("logout-sessions"));
    }

    /**
     * @param hasPin whether the current PIN is needed, too; whether it is correct is not looked at here
     * @param length the least number of digits
     * @return what the page says; empty if the PIN can be chosen
     */
    List<FormMessage> problems(UserModel user, boolean hasPin, int length) {
        List<FormMessage> problems = new ArrayList<>();
        if (hasPin && StringUtil.isBlank(current())) {
            problems.add(new FormMessage(CURRENT_FIELD, "pinCurrentMissing"));
        }
        problem(user, length).ifPresent(problems::add);
        return problems;
    }

    private Optional<FormMessage> problem(UserModel user, int length) {
        if (StringUtil.isBlank(pin())) {
            return Optional.of(new FormMessage(FIELD, "pinNewMissing"));
        }
        Optional<PinStrength.Refusal> refusal = PinStrength.refusal(pin(), length, user.getAttributeStream(BIRTHDATE));
        if (refusal.isPresent()) {
            return Optional.of(new FormMessage(FIELD, refusal.get().message(), length, PinConfig.LONGEST));
        }
        return pin().equals(fields.getFirst(CONFIRM_FIELD))
                ? Optional.empty()
                : Optional.of(new FormMessage(CONFIRM_FIELD, "pinNotConfirmed"));
    }
}
