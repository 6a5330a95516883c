package io.github.checktoken.login.gate.honest;

/** How a person uses a browser. */
public enum Habit {
    /** Presses each button and link once. */
    ONCE,
    /** Presses each button and link twice, so that the browser sends the same request again and shows the last answer. */
    PRESSES_TWICE,
    /** Loads the page again while its form is under way, and each address to which a login leads. */
    RELOADS
}
