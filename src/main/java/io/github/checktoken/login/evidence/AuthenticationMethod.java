package io.github.checktoken.login.evidence;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The authentication methods that this project knows, each with its kind of factor: those of RFC 8176 section 2,
 * {@code pop} of OpenID Connect EAP ACR Values, and {@code mail} and {@code fc} of the service. {@code mfa} is not
 * among them, because {@link AuthenticationMethods} computes it.
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

    /** The kind of factor that a method proves. Two different kinds are multi-factor authentication. */
    public enum Factor {
        /** Something that the user knows. */
        KNOWLEDGE,
        /** Something that the user has. */
        POSSESSION,
        /** Something that the user is. */
        INHERENCE,
        /**
         * The method does not count as a factor: somebody who has only the password may also be able to read the user's
         * mail, and a location or a low risk does not prove an identity.
         */
        NONE
    }

    private static final Map<String, AuthenticationMethod> BY_VALUE =
            Arrays.stream(values()).collect(Collectors.toMap(AuthenticationMethod::value, Function.identity()));

    private final Factor factor;

    AuthenticationMethod(Factor factor) {
        this.factor = factor;
    }

    /** @return the value in {@code amr}, in lower case */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Factor factor() {
        return factor;
    }

    /**
     * Whether this method shows that the user is at the browser; {@code mail} and {@code wia} do, although they are not
     * factors.
     */
    public boolean identifiesUser() {
        return factor != Factor.NONE || this == MAIL || this == WIA;
    }

    /** @return empty for {@code mfa} and for values that this project does not know */
    public static Optional<AuthenticationMethod> of(String value) {
        return Optional.ofNullable(BY_VALUE.get(value));
    }
}
