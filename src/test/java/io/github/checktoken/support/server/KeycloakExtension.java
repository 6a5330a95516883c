package io.github.checktoken.support.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;

import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.FederationPool;
import io.github.checktoken.support.realm.PinRealm;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the server that all integration tests share, which starts when the first test asks for it. Also gives a
 * test class a mail server and realms that no other class uses meanwhile, and takes them back.
 */
public final class KeycloakExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {

    static final TestAuthority AUTHORITY = new TestAuthority();

    static final TraceCollector TRACES = new TraceCollector();

    /** The second server's distribution. It is copied before the first server builds its own anew. */
    private static final Path SECOND_HOME = DistributionServer.copy("keycloak-second");

    private static final String PAGE = "--spi-realm-restapi-extension--data-providers--page=true";

    /**
     * The cache holds all realms of the tests, because the administrator has roles in each of them. Themes are cached as in
     * production, because otherwise every page is read and compiled again. Only requests that
     * ask for it with a {@code traceparent} are traced. Clients may present a certificate. The rotation of client
     * secrets and the token exchange that impersonates are preview features of Keycloak; in 26.5, so is the JWT
     * authorization grant. Passwords and PINs are hashed cheaply, because Argon2 as in production takes much of the
     * server's time.
     *
     * @param traces host and port with which the server reaches {@link #TRACES}
     * @param keyStore the server's path of the key store of {@link #AUTHORITY}
     * @param certificate the server's path of the certificate of {@link #AUTHORITY}
     */
    static List<String> arguments(String traces, String keyStore, String certificate) {
        return List.of(
                "--log-level="
                        + ("walk".equals(System.getProperty("suite")) ? WALK_LOG_LEVEL : KeycloakServer.LOG_LEVEL),
                "--cache-embedded-realms-max-count=100000",
                "--spi-theme--cache-themes=true",
                "--spi-theme--cache-templates=true",
                "--spi-password-hashing--argon2--iterations=1",
                "--spi-password-hashing--argon2--memory=64",
                "--metrics-enabled=true",
                "--http-management-scheme=http",
                "--tracing-enabled=true",
                "--tracing-protocol=http/protobuf",
                "--tracing-endpoint=http://" + traces,
                "--tracing-sampler-type=parentbased_always_off",
                "--features=client-secret-rotation,token-exchange,jwt-authorization-grant",
                "--https-key-store-file=" + keyStore,
                "--https-key-store-password=" + Keytool.PASSWORD,
                "--https-client-auth=request",
                "--truststore-paths=" + certificate,
                PAGE);
    }

    private static List<String> arguments() {
        return arguments(
                "127.0.0.1:" + TRACES.port(),
                AUTHORITY.serverKeyStore().toString(),
                AUTHORITY.certificate().toString());
    }

    /**
     * The second server has the default, under which there is no page. It has what would be in the way of tests that
     * count events or read meters: notices at once, and meters by client.
     */
    private static List<String> argumentsOfSecondServer() {
        Stream<String> others = arguments().stream().filter(argument -> !argument.equals(PAGE));
        Stream<String> own = Stream.of("notice-interval-seconds=1", "key-failure-seconds=0", "meters-by-client=true")
                .map("--spi-realm-restapi-extension--checktoken--"::concat);
        return Stream.concat(others, own).toList();
    }

    /** DistributionServer sees in a log line of Quarkus that the server has started. */
    private static final String WALK_LOG_LEVEL = "ERROR,io.quarkus:INFO";

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(KeycloakExtension.class);

    private static RuntimeException failure;

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(LocalDateTime.class, LocalDateTime.now());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        String test = context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
        LogSearch.ended(test, context.getStore(NAMESPACE).get(LocalDateTime.class, LocalDateTime.class));
    }

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
        Started started = started(context);
        KeycloakServer server = started.server();
        ExtensionContext.Store ofTheClass = context.getStore(NAMESPACE);
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
        if (type == Federation.class) {
            return ofTheClass
                    .computeIfAbsent(type, key -> started.federations().lend(), FederationPool.Loan.class)
                    .federation();
        }
        return server;
    }

    private static Started started(ExtensionContext context) {
        ExtensionContext.Store store = context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
        return context.getRequiredTestClass().isAnnotationPresent(NativeCrypto.class)
                ? store.computeIfAbsent(
                        NativeCrypto.class,
                        key -> start(() -> DistributionServer.withNativeCrypto(SECOND_HOME, argumentsOfSecondServer())),
                        Started.class)
                : store.computeIfAbsent(Started.class, key -> start(factory()), Started.class);
    }

    private static MailServer mailServer(ExtensionContext.Store ofTheClass, KeycloakServer server) {
        return ofTheClass.computeIfAbsent(MailServer.class, key -> new MailServer(server), MailServer.class);
    }

    /** Keeps the server until the last test has ended. Then nothing confidential may be in its log. */
    private record Started(KeycloakServer server, FederationPool federations) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            server.close();
            List<String> found = LogSearch.search(server.log());
            if (!found.isEmpty()) {
                throw new AssertionError(
                        "The server's log has values that the tests sent or received:\n" + String.join("\n", found));
            }
        }
    }

    /** If the server does not start, the next tests do not try to start it again. */
    private static Started start(KeycloakServer.Factory factory) {
        if (failure != null) {
            throw failure;
        }
        try {
            KeycloakServer server = factory.start();
            return new Started(server, new FederationPool(server));
        } catch (IOException e) {
            failure = new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            failure = e;
        }
        throw failure;
    }

    static boolean isDistribution() {
        return factoryName().isEmpty();
    }

    private static String factoryName() {
        return System.getProperty("keycloak.server.factory", "");
    }

    /** Loads the class by its name, because only the profile that sets the property compiles that class. */
    private static KeycloakServer.Factory factory() {
        if (isDistribution()) {
            return () -> new DistributionServer(arguments(), line -> {});
        }
        try {
            return (KeycloakServer.Factory)
                    Class.forName(factoryName()).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
