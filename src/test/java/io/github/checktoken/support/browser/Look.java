package io.github.checktoken.support.browser;

import java.util.List;

/**
 * How a browser shows a page.
 *
 * @param width of the window in CSS pixels
 * @param dark whether the person at the browser prefers dark colours
 */
record Look(int width, boolean dark) {

    static final int WIDE = 1280;

    /** The narrowest screen that WCAG 2.1 requires (1.4.10). */
    static final int NARROW = 320;

    static final Look USUAL = new Look(WIDE, false);

    static List<Look> all() {
        return List.of(USUAL, new Look(WIDE, true), new Look(NARROW, false), new Look(NARROW, true));
    }

    @Override
    public String toString() {
        return (dark ? "dark" : "light") + "/" + width;
    }
}
