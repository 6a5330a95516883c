package io.github.checktoken.introspection.jose;

import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.NativeCrypto;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The same tests on a server with Conscrypt beside the JAR. */
class NativeCryptoIT {

    @Nested
    @NativeCrypto
    class NativeAlgorithms extends AlgorithmsIT {

        NativeAlgorithms(Federation federation) {
            super(federation);
        }
    }

    @Nested
    @NativeCrypto
    @Tag("long")
    class NativeInterop extends InteropIT {

        NativeInterop(Federation federation) {
            super(federation);
        }
    }

    @Nested
    @NativeCrypto
    @Tag("long")
    class NativeJavaKeystore extends JavaKeystoreIT {

        NativeJavaKeystore(Federation federation) {
            super(federation);
        }
    }
}
