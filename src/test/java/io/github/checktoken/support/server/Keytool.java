package io.github.checktoken.support.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the JDK's keytool on one PKCS12 file, as an administrator does to make a key store. */
public final class Keytool {

    public static final String PASSWORD = "demo-keystore-password";

    private final Path file;

    public Keytool(Path file) {
        this.file = file;
    }

    /**
     * Makes a key pair and its certificate.
     *
     * @param type {@code RSA}, or the name of an elliptic curve
     * @param further more arguments, such as {@code -signer} and {@code -ext}
     */
    public Keytool generate(String alias, String subject, String type, String... further) {
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-dname", subject));
        arguments.addAll(
                type.equals("RSA")
                        ? List.of("-keyalg", "RSA", "-keysize", "2048")
                        : List.of("-keyalg", "EC", "-groupname", type));
        arguments.addAll(List.of(further));
        run(arguments);
        return this;
    }

    /** Writes a certificate as PEM. */
    public void export(String alias, Path to) {
        run(List.of("-exportcert", "-rfc", "-alias", alias, "-file", to.toString()));
    }

    private void run(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(arguments);
        command.addAll(List.of("-keystore", file.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
