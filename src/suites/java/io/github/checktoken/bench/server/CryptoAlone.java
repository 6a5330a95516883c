package io.github.checktoken.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSAEncrypter;
import org.conscrypt.OpenSSLProvider;

/**
 * What an answer's cryptography costs without Keycloak: one ES256 signature and one encryption with RSA-OAEP-256 and
 * A256GCM. It runs in a program of its own, with the server's JDK and processors, and waits between two measurements.
 */
public final class CryptoAlone implements AutoCloseable {

    public static final String NAME = "ES256, RSA-OAEP-256 alone";

    private static final String ES256 = "SHA256withECDSA";
    private static final int PAYLOAD_BYTES = 400;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A flight recorder writes lines of its own. */
    private static final String RESULT = "milliseconds: ";

    private final String name;
    private final Process program;
    private final BufferedReader output;

    private CryptoAlone(String name, Process program) {
        this.name = name;
        this.program = program;
        this.output = program.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts the program and waits for the end of its warm-up.
     *
     * @param conscrypt whether Conscrypt does both operations, or what the JVM chooses
     */
    public static CryptoAlone start(BenchSettings settings, boolean conscrypt) throws IOException {
        List<String> command = new ArrayList<>(Processors.on(settings.serverCpus(), settings.javaHome() + "/bin/java"));
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), CryptoAlone.class.getName(), "" + conscrypt));
        CryptoAlone crypto = new CryptoAlone(
                conscrypt ? NAME + BenchServer.WITH_CONSCRYPT : NAME,
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
        crypto.result();
        return crypto;
    }

    public String name() {
        return name;
    }

    /** @return the processor milliseconds of both operations together */
    public double millis() throws IOException {
        program.getOutputStream().write('\n');
        program.getOutputStream().flush();
        return result();
    }

    private double result() throws IOException {
        String line;
        do {
            line = output.readLine();
            if (line == null) {
                throw new IOException("The program ended");
            }
        } while (!line.startsWith(RESULT));
        return Double.parseDouble(line.substring(RESULT.length()));
    }

    @Override
    public void close() {
        program.destroy();
    }

    public static void main(String[] arguments) throws GeneralSecurityException, JOSEException, IOException {
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        Provider provider = Boolean.parseBoolean(arguments[0]) ? new OpenSSLProvider() : null;
        PrivateKey key = ec.generateKeyPair().getPrivate();
        PrivateKey signing = provider == null
                ? key
                : (PrivateKey) KeyFactory.getInstance("EC", provider).translateKey(key);
        RSAEncrypter encrypter =
                new RSAEncrypter((RSAPublicKey) rsa.generateKeyPair().getPublic());
        encrypter.getJCAContext().setProvider(provider);
        System.out.println(RESULT + millisEach(signing, encrypter, provider, WARM_UP_NANOS));
        while (System.in.read() != -1) {
            System.out.println(RESULT + millisEach(signing, encrypter, provider, MEASURED_NANOS));
        }
    }

    private static double millisEach(PrivateKey key, RSAEncrypter encrypter, Provider provider, long nanos)
            throws GeneralSecurityException, JOSEException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        long answers = 0;
        while (threads.getCurrentThreadCpuTime() - begin < nanos) {
            signAndEncrypt(key, encrypter, provider);
            answers++;
        }
        return (threads.getCurrentThreadCpuTime() - begin) / 1e6 / answers;
    }

    /** @param provider of the signature; null for what the JVM chooses */
    private static void signAndEncrypt(PrivateKey key, RSAEncrypter encrypter, Provider provider)
            throws GeneralSecurityException, JOSEException {
        byte[] payload = new byte[PAYLOAD_BYTES];
        Signature signature = provider == null ? Signature.getInstance(ES256) : Signature.getInstance(ES256, provider);
        signature.initSign(key);
        signature.update(payload);
        signature.sign();
        JWEObject jwe =
                new JWEObject(new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM), new Payload(payload));
        jwe.encrypt(encrypter);
        jwe.serialize();
    }
}
