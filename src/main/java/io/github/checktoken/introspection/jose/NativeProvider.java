package io.github.checktoken.introspection.jose;

import java.security.Provider;
import java.util.Optional;

import org.jboss.logging.Logger;

/**
 * Conscrypt, a security provider in native code, if its JAR is beside ours. It is not registered with the JVM: Keycloak,
 * TLS and other extensions do not notice it.
 */
final class NativeProvider {

    private static final Logger logger = Logger.getLogger(NativeProvider.class);

    private static final String CLASS = "org.conscrypt.OpenSSLProvider";

    private NativeProvider() {}

    /** @return a new instance; empty if there is no such class, or no native library in it for this system */
    static Optional<Provider> load(ClassLoader classes) {
        try {
            return Optional.of((Provider)
                    Class.forName(CLASS, true, classes).getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            logger.debugf("%s is not beside this JAR", CLASS);
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            logger.warnf(
                    "%s cannot be used here, so Java makes the answers: %s",
                    CLASS, e.getCause() == null ? e : e.getCause());
        }
        return Optional.empty();
    }

    /** @return name and version for operators */
    static String describe(Provider provider) {
        String version = provider.getClass().getPackage().getImplementationVersion();
        return provider.getName() + " " + (version == null ? provider.getVersionStr() : version);
    }
}
