package io.github.checktoken.support.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.openqa.selenium.chrome.ChromeDriver;

/** The accessibility rules of axe-core, run in the page that a browser shows. */
final class Axe {

    private static final String SCRIPT = script();

    /** Waits for animations first, because axe would otherwise measure the contrast of elements that still fade in. */
    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
            Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})))
                .then(() => axe.run(document, {runOnly: rules, resultTypes: ['violations']}))
                .then(result => done(result.violations.flatMap(rule =>
                    rule.nodes.map(node => rule.id + ' (' + rule.help + '): ' + node.target.join(' ')))),
                    error => done(['axe did not run: ' + error]));
            """;

    private Axe() {}

    @SuppressWarnings("unchecked")
    static List<String> violations(ChromeDriver driver) {
        driver.executeScript(SCRIPT);
        return (List<String>) driver.executeAsyncScript(RUN);
    }

    private static String script() {
        try (InputStream script = Axe.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
