package io.github.checktoken.guest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.ProductionServer;

/** A server without the JAR and one with it, both running, with a realm for each {@link SetUp}. */
final class GuestServers implements AutoCloseable {

    /** For servers that run only for minutes. */
    private static final String QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC";

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));

    private final ProductionServer without;
    private final ProductionServer with;
    private final MailServer mailWithout;
    private final MailServer mailWith;
    private final Map<SetUp, GuestRealm> realms = new EnumMap<>(SetUp.class);

    GuestServers() throws IOException, InterruptedException {
        without = start("guest-without", List.of());
        with = start("guest-with", List.of(Path.of(System.getProperty("checktoken.jar"))));
        mailWithout = new MailServer(without);
        mailWith = new MailServer(with);
        realms.put(SetUp.WITHOUT_JAR, new GuestRealm(without, mailWithout, "plain", null));
        realms.put(SetUp.UNGUARDED, new GuestRealm(with, mailWith, "unguarded", null));
        realms.put(SetUp.OFF, new GuestRealm(with, mailWith, "off", "off"));
        realms.put(SetUp.GUARDED, new GuestRealm(with, mailWith, "guarded", "on"));
    }

    private static ProductionServer start(String name, List<Path> jars) throws IOException, InterruptedException {
        return new ProductionServer(
                HOME.getParent(),
                name,
                jars,
                new Database(HOME).arguments(),
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_APPEND", QUICK_JAVA));
    }

    GuestRealm realm(SetUp setUp) {
        return realms.get(setUp);
    }

    ProductionServer server(SetUp setUp) {
        return setUp == SetUp.WITHOUT_JAR ? without : with;
    }

    @Override
    public void close() {
        mailWithout.close();
        mailWith.close();
        without.close();
        with.close();
    }
}
