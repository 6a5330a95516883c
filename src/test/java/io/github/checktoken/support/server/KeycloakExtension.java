package io.github.checktoken.support.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.PinRealm;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test the one server that all integration tests share, which starts with the first that asks, and a test class a
 * mail server and realms of its own, which it need not close.
 */
public final class KeycloakExtension implements ParameterResolver {

    static final TestAuthority AUTHORITY = new TestAuthority();

    private static final TraceCollector TRACES = new TraceCollector();

    /**
     * With the theme cache of production: without it every page is read and compiled anew. Traces are of the requests
     * alone that ask for it with a {@code traceparent}. A client may show a certificate and need not. The rotation of
     * client secrets and the token exchange that impersonates are previews of Keycloak's, on 26.5 the JWT authorization
     * grant as well. Passwords and PINs are hashed cheaply: Argon2 as in
     * production takes much of the server's time.
     */
    private static final List<String> ARGUMENTS = List.of(
            "--log-level=" + System.getProperty("keycloak.log.level", KeycloakServer.LOG_LEVEL),
            "--spi-theme--cache-themes=true",
            "--spi-theme--cache-templates=true",
            "--spi-password-hashing--argon2--iterations=1",
            "--spi-password-hashing--argon2--memory=64",
            "--metrics-enabled=true",
            "--http-management-scheme=http",
            "--tracing-enabled=true",
            "--tracing-protocol=http/protobuf",
            "--tracing-endpoint=http://127.0.0.1:" + TRACES.port(),
            "--tracing-sampler-type=parentbased_always_off",
            "--features=client-secret-rotation,token-exchange,jwt-authorization-grant",
            "--https-key-store-file=" + AUTHORITY.serverKeyStore(),
            "--https-key-store-password=" + Keytool.PASSWORD,
            "--https-client-auth=request",
            "--truststore-paths=" + AUTHORITY.certificate());

    private static RuntimeException failure;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return List.of(
                        KeycloakServer.class,
                        Federation.class,
                        TraceCollector.class,
                        TestAuthority.class,
                        MailServer.class,
                        PinRealm.class,
                        EmailCodeRealm.class)
                .contains(type);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == TraceCollector.class) {
            return TRACES;
        }
        if (type == TestAuthority.class) {
            return AUTHORITY;
        }
        KeycloakServer server = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Started.class, key -> new Started(start()), Started.class)
                .server();
        ExtensionContext.Store ofTheClass =
                context.getStore(ExtensionContext.Namespace.create(KeycloakExtension.class));
        if (type == MailServer.class) {
            return mailServer(ofTheClass, server);
        }
        if (type == PinRealm.class) {
            return ofTheClass.computeIfAbsent(type, key -> new PinRealm(server));
        }
        if (type == EmailCodeRealm.class) {
            MailServer mailServer = mailServer(ofTheClass, server);
            return ofTheClass.computeIfAbsent(type, key -> new EmailCodeRealm(server, mailServer));
        }
        return type == Federation.class ? new Federation(server) : server;
    }

    private static MailServer mailServer(ExtensionContext.Store ofTheClass, KeycloakServer server) {
        return ofTheClass.computeIfAbsent(MailServer.class, key -> new MailServer(server), MailServer.class);
    }

    /** The server until the last test has ended. Then its log must hold nothing that belongs into none. */
    private record Started(KeycloakServer server) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            server.close();
            List<String> found = LogSearch.search(server.log());
            if (!found.isEmpty()) {
                throw new AssertionError(
                        "The server's log holds, of what the tests gave or got:\n" + String.join("\n", found));
            }
        }
    }

    /** A server that does not start is not tried again by each test. */
    private static KeycloakServer start() {
        if (failure != null) {
            throw failure;
        }
        try {
            return letSignInQuickly(factory().start());
        } catch (IOException e) {
            failure = new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            failure = e;
        }
        throw failure;
    }

    /**
     * Without the demo realm's brute-force protection, which refuses a person who signs in again before it has noted the
     * last time, as tests do. Where it matters, tests switch it on.
     */
    private static KeycloakServer letSignInQuickly(KeycloakServer server) {
        new Federation(server).admin().update("", realm -> realm.put("bruteForceProtected", false));
        return server;
    }

    /** By name, because only the profile that sets it compiles what it names. */
    private static KeycloakServer.Factory factory() {
        String name = System.getProperty("keycloak.server.factory");
        if (name == null) {
            return () -> new DistributionServer(ARGUMENTS, line -> {});
        }
        try {
            return (KeycloakServer.Factory)
                    Class.forName(name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
