package io.github.checktoken.cluster;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the cluster that these classes share. It starts when the first class asks for it. Each class leaves it
 * with two nodes that run.
 */
final class ClusterExtension implements ParameterResolver {

    private static Exception failure;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Cluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Cluster.class, key -> start(), Cluster.class);
    }

    /** If the cluster does not start, the next classes do not try to start it again. */
    private static Cluster start() {
        if (failure == null) {
            try {
                return new Cluster();
            } catch (Exception e) {
                failure = e;
            }
        }
        throw new IllegalStateException(failure);
    }
}
