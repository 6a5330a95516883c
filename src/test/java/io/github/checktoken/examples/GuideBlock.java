package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds commands in the data provider guide, so that the tests run what a reader copies. */
final class GuideBlock {

    static final Path GUIDE = Path.of("docs", "data-provider.md");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```sh\\n(.*?)^ *```$");

    private GuideBlock() {}

    /** @return the shell commands of the only block that contains the text */
    static String containing(String text) {
        try {
            String[] found = BLOCK.matcher(Files.readString(GUIDE))
                    .results()
                    .filter(block -> block.group(2).contains(text))
                    .map(GuideBlock::withoutIndentation)
                    .toArray(String[]::new);
            if (found.length != 1) {
                throw new AssertionError(found.length + " blocks of the guide contain " + text);
            }
            return found[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutIndentation(MatchResult block) {
        return block.group(2).replaceAll("(?m)^" + block.group(1), "");
    }
}
