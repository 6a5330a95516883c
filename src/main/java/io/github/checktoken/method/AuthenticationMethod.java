package io.github.checktoken.method;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The methods that this project knows, with the category that each counts in: RFC 8176 section 2, and {@code mail} and
 * {@code fc} of the service. {@code mfa} is none of them: it is computed, see {@link AuthenticationMethods}.
 */
public enum AuthenticationMethod {
    PWD(Factor.KNOWLEDGE),
    PIN(Factor.KNOWLEDGE),
    KBA(Factor.KNOWLEDGE),

    POP(Factor.POSSESSION),
    HWK(Factor.POSSESSION),
    SWK(Factor.POSSESSION),
    OTP(Factor.POSSESSION),
    SMS(Factor.POSSESSION),
    TEL(Factor.POSSESSION),
    SC(Factor.POSSESSION),

    FACE(Factor.INHERENCE),
    FPT(Factor.INHERENCE),
    IRIS(Factor.INHERENCE),
    RETINA(Factor.INHERENCE),
    VBM(Factor.INHERENCE),

    MAIL(Factor.NONE),
    USER(Factor.NONE),
    GEO(Factor.NONE),
    RBA(Factor.NONE),
    WIA(Factor.NONE),
    MCA(Factor.NONE),
    FC(Factor.NONE);

    /** What kind of proof a method is. Two different kinds are multi-factor authentication. */
    public enum Factor {
        /** Something that the person knows. */
        KNOWLEDGE,
        /** Something that the person has. */
        POSSESSION,
        /** Something that the person is. */
        INHERENCE,
        /** No factor of its own: an e-mail may be read with the password alone, a place or a risk proves nobody. */
        NONE
    }

    private static final Map<String, AuthenticationMethod> BY_VALUE =
            Arrays.stream(values()).collect(Collectors.toMap(AuthenticationMethod::value, Function.identity()));

    private final Factor factor;

    AuthenticationMethod(Factor factor) {
        this.factor = factor;
    }

    /** As it stands in {@code amr}, in lower case. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Factor factor() {
        return factor;
    }

    /** Whether it shows that this user is at the browser, as {@code mail} does, though it is no factor of its own. */
    public boolean identifiesUser() {
        return factor != Factor.NONE || this == MAIL || this == WIA;
    }

    /** Empty for {@code mfa} and for what this project does not know. */
    public static Optional<AuthenticationMethod> of(String value) {
        return Optional.ofNullable(BY_VALUE.get(value));
    }
}
