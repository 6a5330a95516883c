package io.github.checktoken.introspection.endpoint;

import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.NativeCrypto;

/** The same tests on a server with Conscrypt beside the JAR. */
@NativeCrypto
class NativeCheckTokenIT extends CheckTokenIT {

    NativeCheckTokenIT(Federation federation) {
        super(federation);
    }
}
