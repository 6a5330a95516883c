package io.github.checktoken.support.browser;

import java.util.List;

import org.openqa.selenium.chrome.ChromeDriver;

/** Finds the words that begin in one line and end in another, which happens if their column is too narrow. */
final class CutWords {

    /**
     * A word may be parted at its hyphens. What is longer than any word is an address or a random value. The id of a
     * key is one too, and may have hyphens anywhere.
     */
    private static final String SCRIPT = """
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const cut = [];
            for (let text = texts.nextNode(); text; text = texts.nextNode()) {
                if (text.parentElement.closest('pre, script, style')) continue;
                for (const run of text.data.matchAll(/\\S+/g)) {
                    if (run[0].length > 40) continue;
                    for (const word of run[0].matchAll(/[^-]+/g)) {
                        if (word[0].length > 24) continue;
                        const range = document.createRange();
                        range.setStart(text, run.index + word.index);
                        range.setEnd(text, run.index + word.index + word[0].length);
                        if (new Set([...range.getClientRects()].map(part => part.top)).size > 1) cut.push(word[0]);
                    }
                }
            }
            return cut;
            """;

    private CutWords() {}

    @SuppressWarnings("unchecked")
    static List<String> in(ChromeDriver driver) {
        return (List<String>) driver.executeScript(SCRIPT);
    }
}
