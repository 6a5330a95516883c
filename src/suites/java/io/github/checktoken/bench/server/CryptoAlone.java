package io.github.checktoken.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSAEncrypter;

/**
 * What an answer's cryptography costs without Keycloak: one ES256 signature and one encryption with RSA-OAEP-256 and
 * A256GCM. It runs in a program of its own, with the server's JDK, options and processors, and waits between two
 * measurements.
 */
public final class CryptoAlone implements AutoCloseable {

    public static final String NAME = "ES256 and RSA-OAEP-256 alone, without Keycloak";

    private static final int PAYLOAD_BYTES = 400;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A flight recorder writes lines of its own. */
    private static final String RESULT = "milliseconds: ";

    private final Process program;
    private final BufferedReader output;

    private CryptoAlone(Process program) {
        this.program = program;
        this.output = program.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the program and waits for the end of its warm-up. */
    public static CryptoAlone start(BenchSettings settings) throws IOException {
        List<String> command = new ArrayList<>(Processors.on(settings.serverCpus(), settings.javaHome() + "/bin/java"));
        Stream.of(settings.javaOptions().split(" "))
                .filter(option -> !option.isBlank())
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), CryptoAlone.class.getName()));
        CryptoAlone crypto = new CryptoAlone(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        crypto.result();
        return crypto;
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
        KeyPair signing = ec.generateKeyPair();
        RSAPublicKey recipient = (RSAPublicKey) rsa.generateKeyPair().getPublic();
        System.out.println(RESULT + millisEach(signing, recipient, WARM_UP_NANOS));
        while (System.in.read() != -1) {
            System.out.println(RESULT + millisEach(signing, recipient, MEASURED_NANOS));
        }
    }

    private static double millisEach(KeyPair signing, RSAPublicKey recipient, long nanos)
            throws GeneralSecurityException, JOSEException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        long answers = 0;
        while (threads.getCurrentThreadCpuTime() - begin < nanos) {
            signAndEncrypt(signing, recipient);
            answers++;
        }
        return (threads.getCurrentThreadCpuTime() - begin) / 1e6 / answers;
    }

    private static void signAndEncrypt(KeyPair signing, RSAPublicKey recipient)
            throws GeneralSecurityException, JOSEException {
        byte[] payload = new byte[PAYLOAD_BYTES];
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signing.getPrivate());
        signature.update(payload);
        signature.sign();
        JWEObject jwe =
                new JWEObject(new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM), new Payload(payload));
        jwe.encrypt(new RSAEncrypter(recipient));
        jwe.serialize();
    }
}
