package io.github.checktoken.demo.pages.town;

import java.util.List;
import java.util.Set;

/** Says what the town hall may conclude from {@code amr}, as keys of texts. */
public final class SignInMeaning {

    private static final Set<String> KNOWN = Set.of("fc", "pwd", "pop", "pin", "mail", "mfa");

    private final SignIn signIn;

    public SignInMeaning(SignIn signIn) {
        this.signIn = signIn;
    }

    /** A value of {@code amr}, and the key of the text that explains it. */
    public record Method(String value, String text) {}

    public List<Method> methods() {
        return signIn.amr().stream()
                .map(value -> new Method(value, "amr." + (KNOWN.contains(value) ? value : "other")))
                .toList();
    }

    /** Whether the town hall can do without a second factor of its own. */
    public boolean secondFactorIsDone() {
        return signIn.amr().contains("mfa");
    }

    /** @return the key of the text about a second factor */
    public String secondFactor() {
        List<String> amr = signIn.amr();
        if (amr.isEmpty()) {
            return signIn.choice().amr() ? "factor.untold" : "factor.not-asked";
        }
        if (secondFactorIsDone()) {
            return "factor.two";
        }
        if (amr.contains("mail")) {
            return "factor.mail";
        }
        return amr.contains("pin") ? "factor.pin" : "factor.one";
    }

    /** @return the key of the text about the level of assurance */
    public String level() {
        String asked = signIn.choice().acr();
        if (asked.isEmpty()) {
            return "acr.not-asked";
        }
        return asked.equals(signIn.claim("acr")) ? "acr.as-asked" : "acr.other";
    }
}
