package io.github.checktoken.support.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives a test class another server than the others have: one with Conscrypt beside the JAR. With {@code -Dnative}, the
 * server of all classes has it, and the class is not needed.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(NativeCrypto.Condition.class)
public @interface NativeCrypto {

    /** Whether the server of a test class has Conscrypt. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (isEverywhere()) {
                return ConditionEvaluationResult.disabled("The server of the other classes has Conscrypt");
            }
            return KeycloakExtension.isDistribution()
                    ? ConditionEvaluationResult.enabled("There is a second distribution")
                    : ConditionEvaluationResult.disabled("There is no distribution");
        }

        public static boolean holds(Class<?> testClass) {
            return isEverywhere() || testClass.isAnnotationPresent(NativeCrypto.class);
        }

        static boolean isEverywhere() {
            return Boolean.getBoolean("native");
        }
    }
}
