package io.github.checktoken.client;

import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.nimbusds.jose.util.X509CertUtils;

/**
 * What the platform says about a token: {@link Inactive}, {@link Machine} or {@link Person}. Each {@code require…} returns
 * an answer in which it is fulfilled, and throws a {@link CheckTokenException} otherwise:
 *
 * <pre>{@code Answer.Person person = checkToken.check(token).require("tax_income").person();}</pre>
 *
 * <p>Do not keep an answer: the token can be revoked at any moment. No answer shows in {@code toString} what it says.
 */
public abstract sealed class Answer {

    private final Map<String, Object> claims;
    private final Set<String> unchecked;

    private Answer(Map<String, Object> claims, Set<String> unchecked) {
        this.claims = claims;
        this.unchecked = unchecked;
    }

    /** Throws unless the token has this scope. */
    public final Answer require(String scope) {
        requireActive();
        Reason.MISSING_SCOPE.unless(scopes().contains(scope));
        return this;
    }

    /**
     * Throws unless the token is bound to this key (RFC 9449 section 6.1).
     *
     * @param thumbprint SHA-256 thumbprint (RFC 7638) of the key in the DPoP proof, which you verified
     */
    public final Answer requireDpop(String thumbprint) {
        return bound("jkt", thumbprint);
    }

    /**
     * Throws unless the token is bound to this certificate (RFC 8705 section 3.1).
     *
     * @param certificate that of the service provider's TLS connection to you
     */
    public final Answer requireCertificate(X509Certificate certificate) {
        return bound(
                "x5t#S256", X509CertUtils.computeSHA256Thumbprint(certificate).toString());
    }

    /** @return the person; throws if there is none, or if the token is bound to a key that was not checked */
    public final Person person() {
        requireActive();
        Reason.NOT_A_PERSON.unless(this instanceof Person);
        read();
        return (Person) this;
    }

    /** @return to what the token is bound and has not been checked yet: {@code jkt}, {@code x5t#S256} */
    public final Set<String> unchecked() {
        return unchecked;
    }

    /** @return the scopes of this data provider that the token has */
    public final Set<String> scopes() {
        return Pattern.compile(" ")
                .splitAsStream((String) claims.getOrDefault("scope", ""))
                .filter(scope -> !scope.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName();
    }

    private Answer bound(String method, String value) {
        requireActive();
        Reason.WRONG_BINDING.unless(claims.get("cnf") instanceof Map<?, ?> cnf && value.equals(cnf.get(method)));
        Set<String> others =
                unchecked.stream().filter(name -> !name.equals(method)).collect(Collectors.toSet());
        return this instanceof Person ? new Person(claims, others) : new Machine(claims, others);
    }

    private void requireActive() {
        Reason.INACTIVE.unless(!(this instanceof Inactive));
    }

    final Map<String, Object> read() {
        Reason.BINDING_NOT_CHECKED.unless(unchecked.isEmpty());
        return claims;
    }

    /** The token may not be used: expired, revoked, unknown or for somebody else. Nobody is told which. */
    public static final class Inactive extends Answer {

        Inactive() {
            super(Map.of(), Set.of());
        }
    }

    /** The token belongs to a service account, the service provider itself. It has no identity data. */
    public static final class Machine extends Answer {

        Machine(Map<String, Object> claims, Set<String> unchecked) {
            super(claims, unchecked);
        }

        /** @return the members of {@code token_introspection} */
        public Map<String, Object> claims() {
            return read();
        }
    }

    /** The token belongs to a person, who signed in at the service provider. */
    public static final class Person extends Answer {

        Person(Map<String, Object> claims, Set<String> unchecked) {
            super(claims, unchecked);
        }

        /** @return the members of {@code token_introspection}, among them identity data */
        public Map<String, Object> claims() {
            return read();
        }

        /** @return who the person is, for this data provider only */
        public String sub() {
            return (String) read().get("sub");
        }
    }
}
