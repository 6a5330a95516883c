package io.github.checktoken.support;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An object of one of Keycloak's interfaces for a test without a server. */
public final class Fake {

    private Fake() {}

    /** What the methods return. */
    public interface Answers {

        /**
         * @return null for nothing: false, 0, an empty stream or map. A list stands for a stream of it, an empty Optional for
         *     null itself, and an exception is thrown
         */
        Object to(String method, Object[] arguments) throws Exception;
    }

    /** @param results by the name of the method, as {@link Answers} returns them */
    public static <T> T of(Class<T> type, Map<String, ?> results) {
        return of(type, (method, arguments) -> results.get(method));
    }

    public static <T> T of(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? ofObject(proxy, method, arguments)
                        : result(method.getReturnType(), answers.to(method.getName(), arguments), proxy)));
    }

    private static Object ofObject(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "a fake";
        };
    }

    private static Object result(Class<?> type, Object answer, Object proxy) {
        if (answer instanceof RuntimeException failure) {
            throw failure;
        }
        if (type == Stream.class) {
            return answer == null ? Stream.empty() : answer instanceof List<?> list ? list.stream() : answer;
        }
        if (Optional.empty().equals(answer) && type != Optional.class) {
            return null;
        }
        return answer == null ? nothing(type, proxy) : answer;
    }

    /** The methods of a form or an e-mail return the form or the e-mail. */
    private static Object nothing(Class<?> type, Object proxy) {
        return switch (type.getSimpleName()) {
            case "boolean" -> false;
            case "int" -> 0;
            case "long" -> 0L;
            case "Map" -> Map.of();
            case "Object" -> null;
            default -> type.isInstance(proxy) ? proxy : null;
        };
    }
}
