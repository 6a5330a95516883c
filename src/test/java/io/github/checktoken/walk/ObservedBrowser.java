package io.github.checktoken.walk;

import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.oracle.Oracle;

/** A browser, what its oracle knows of who uses it, and what the clients got there. */
record ObservedBrowser(WalkBrowser browser, Oracle oracle, IssuedTokens answers) {}
