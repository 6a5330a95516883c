package io.github.checktoken.demo;

/** Ends the demo, and with it the build, with a sentence for the person at the terminal instead of a stack trace. */
final class DemoFailed extends RuntimeException {

    DemoFailed(String message) {
        super(message, null, false, false);
    }
}
