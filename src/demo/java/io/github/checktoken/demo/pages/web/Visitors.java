package io.github.checktoken.demo.pages.web;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The visitors, each known by a random cookie. The oldest is forgotten if there are too many. */
public final class Visitors {

    static final String COOKIE = "checktoken-demo";

    private static final int MOST = 200;
    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<String, Visitor> byId = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Visitor> eldest) {
            return size() > MOST;
        }
    };

    /** @return the visitor with this id, or a new one with an id of its own */
    synchronized Visitor find(String id, Locale language) {
        Visitor known = byId.get(id);
        return known == null ? add(new Visitor(language)) : known;
    }

    /** Gives a visitor a new cookie, because somebody may have known the old one before this visitor signed in. */
    public synchronized void renew(Visitor visitor) {
        byId.remove(visitor.id());
        visitor.rename(random());
        add(visitor);
    }

    private Visitor add(Visitor visitor) {
        byId.put(visitor.id(), visitor);
        return visitor;
    }

    static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
