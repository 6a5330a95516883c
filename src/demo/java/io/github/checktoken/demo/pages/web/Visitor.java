package io.github.checktoken.demo.pages.web;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A browser, and what the pages remember of it: one value of each type. */
public final class Visitor {

    private final Map<Class<?>, Object> values = new ConcurrentHashMap<>();
    private final String formToken = Visitors.random();
    private volatile String id = Visitors.random();
    private volatile Locale language;

    Visitor(Locale language) {
        this.language = language;
    }

    public Locale language() {
        return language;
    }

    public void speak(Locale chosen) {
        language = chosen;
    }

    /** @return what every form has to send back, so that no other site can send one in this visitor's name */
    public String formToken() {
        return formToken;
    }

    public <T> Optional<T> get(Class<T> type) {
        return Optional.ofNullable(type.cast(values.get(type)));
    }

    public void remember(Object value) {
        values.put(value.getClass(), value);
    }

    public void forget(Class<?> type) {
        values.remove(type);
    }

    String id() {
        return id;
    }

    void rename(String newId) {
        id = newId;
    }
}
