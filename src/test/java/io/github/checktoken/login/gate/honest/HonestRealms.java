package io.github.checktoken.login.gate.honest;

import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

/** The realms of one test class, which are created when they are needed. */
public final class HonestRealms {

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final String name;
    private final boolean guarded;
    private final Map<HonestRealm.Kind, HonestRealm> realms = new EnumMap<>(HonestRealm.Kind.class);

    /** Their logins are guarded. */
    public HonestRealms(KeycloakServer server, MailServer mailServer) {
        this(server, mailServer, "honest-" + UUID.randomUUID().toString().substring(0, 8), true);
    }

    /**
     * @param name the beginning of their names
     * @param guarded whether their logins are guarded, also if they use nothing of this project
     */
    public HonestRealms(KeycloakServer server, MailServer mailServer, String name, boolean guarded) {
        this.server = server;
        this.mailServer = mailServer;
        this.name = name;
        this.guarded = guarded;
    }

    public HonestRealm of(HonestRealm.Kind kind) {
        return realms.computeIfAbsent(
                kind, key -> new HonestRealm(server, mailServer, name + "-" + kind.ordinal(), kind, guarded));
    }

    /** @return the login of a new person in the realm that it needs */
    public HonestWalk walk(HonestLogin login) {
        String person = login.name().toLowerCase().replace('_', '-') + "-" + people++;
        return new HonestWalk(of(login.kind()), login, person);
    }

    private int people;
}
