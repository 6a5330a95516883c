package io.github.checktoken.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives a test the one server that all integration tests share. It starts with the first that asks. */
public final class KeycloakExtension implements ParameterResolver {

    /** With the theme cache of production: without it every page is read and compiled anew. */
    private static final List<String> ARGUMENTS = List.of(
            "--log-level=" + KeycloakServer.LOG_LEVEL,
            "--spi-theme--cache-themes=true",
            "--spi-theme--cache-templates=true");

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == KeycloakServer.class || type == Federation.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        KeycloakServer server = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(KeycloakServer.class, type -> start(), KeycloakServer.class);
        return parameter.getParameter().getType() == Federation.class ? new Federation(server) : server;
    }

    private static KeycloakServer start() {
        try {
            return factory().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
