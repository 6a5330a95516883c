package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.Provider;
import java.util.List;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;

/** A cryptographic operation of an answer that another security provider than the JVM's can make. */
interface AnswerOperation {

    static List<AnswerOperation> all() {
        return Stream.of(SignatureOperation.ALL, KeyAgreementOperation.ALL, RsaOaepOperation.ALL)
                .<AnswerOperation>flatMap(List::stream)
                .toList();
    }

    /** @return the registered name of the algorithm or the curve */
    String joseName();

    /** Whether the JVM would take its own provider. If not, an administrator has chosen another one. */
    boolean isMadeByTheJvmsOwn() throws GeneralSecurityException;

    /**
     * Whether the JVM understands what the other provider makes.
     *
     * @param rsa a key pair of the JVM, for operations with RSA. It is the same for all, because it takes long to generate
     */
    boolean works(Provider other, KeyPair rsa) throws GeneralSecurityException, JOSEException;

    /** @return the key as an object of the provider's own, which it would otherwise make again at each use */
    static Key translate(Key key, String algorithm, Provider provider) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm, provider).translateKey(key);
    }
}
