package io.github.checktoken.keycloak;

import java.lang.invoke.MethodType;
import java.util.stream.Stream;

/**
 * A method, a constructor or a field of a Keycloak class.
 *
 * @param owner binary name of the class
 * @param name {@code <init>} for a constructor
 * @param descriptor as in a class file (JVM specification section 4.3)
 */
record KeycloakInternalMember(String owner, String name, String descriptor) {

    private static final String CONSTRUCTOR = "<init>";

    /** For an administrator: class and method, without the package and the types of parameters. */
    String displayName() {
        String simpleName = owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.');
        return name.equals(CONSTRUCTOR) ? "new " + simpleName : simpleName + "." + name;
    }

    /** @return whether neither the class nor any of its supertypes declares the member */
    boolean isMissing() {
        try {
            Class<?> type = Class.forName(owner, false, KeycloakInternalMember.class.getClassLoader());
            return withSupertypes(type).noneMatch(this::isDeclaredBy);
        } catch (ClassNotFoundException e) {
            return true;
        } catch (LinkageError e) {
            // A library that another member of the class needs is missing. That says nothing about this member.
            return false;
        }
    }

    private static Stream<Class<?>> withSupertypes(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Stream.concat(Stream.of(type.getInterfaces()), Stream.ofNullable(type.getSuperclass()))
                        .flatMap(KeycloakInternalMember::withSupertypes));
    }

    private boolean isDeclaredBy(Class<?> type) {
        if (!descriptor.startsWith("(")) {
            return Stream.of(type.getDeclaredFields())
                    .anyMatch(field -> field.getName().equals(name)
                            && field.getType().descriptorString().equals(descriptor));
        }
        if (name.equals(CONSTRUCTOR)) {
            return type.getName().equals(owner)
                    && Stream.of(type.getDeclaredConstructors())
                            .anyMatch(constructor -> isDescribed(void.class, constructor.getParameterTypes()));
        }
        return Stream.of(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals(name)
                        && isDescribed(method.getReturnType(), method.getParameterTypes()));
    }

    private boolean isDescribed(Class<?> result, Class<?>[] parameters) {
        return MethodType.methodType(result, parameters)
                .toMethodDescriptorString()
                .equals(descriptor);
    }
}
