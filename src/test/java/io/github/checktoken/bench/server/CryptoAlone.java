package io.github.checktoken.bench.server;

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

/** What an answer's cryptography costs without Keycloak: a program of its own, with the server's JDK and options. */
public final class CryptoAlone {

    private static final int PAYLOAD_BYTES = 400;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private CryptoAlone() {}

    /** @return the processor milliseconds of one ES256 signature and one encryption with RSA-OAEP-256 and A256GCM */
    public static double millis(BenchSettings settings) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Processors.on(settings.serverCpus(), settings.javaHome() + "/bin/java"));
        Stream.of(settings.javaOptions().split(" "))
                .filter(option -> !option.isBlank())
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), CryptoAlone.class.getName()));
        Process program = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (program.waitFor() != 0) {
            throw new IllegalStateException("The program failed: " + output);
        }
        // A flight recorder writes lines of its own.
        return Double.parseDouble(
                output.strip().lines().reduce((first, last) -> last).orElseThrow());
    }

    public static void main(String[] arguments) throws GeneralSecurityException, JOSEException {
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        KeyPair signing = ec.generateKeyPair();
        RSAPublicKey recipient = (RSAPublicKey) rsa.generateKeyPair().getPublic();
        millisEach(signing, recipient, WARM_UP_NANOS);
        System.out.println(millisEach(signing, recipient, MEASURED_NANOS));
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
