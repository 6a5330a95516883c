package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The fenced blocks of a page. */
final class MarkdownBlocks {

    private static final String FENCE = "```";

    private MarkdownBlocks() {}

    /**
     * One fenced block.
     *
     * @param section the heading above it
     * @param language what stands behind the opening fence, for example {@code sh}
     */
    record Block(String section, String language, String text) {}

    static List<Block> of(Path page) throws IOException {
        List<Block> blocks = new ArrayList<>();
        String section = "";
        String language = null;
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(page)) {
            if (language == null && line.startsWith(FENCE)) {
                language = line.substring(FENCE.length());
            } else if (language != null && line.equals(FENCE)) {
                blocks.add(new Block(section, language, text.toString()));
                language = null;
                text.setLength(0);
            } else if (language != null) {
                text.append(line).append('\n');
            } else if (line.startsWith("#")) {
                section = line.replaceFirst("^#+ ", "");
            }
        }
        return blocks;
    }

    /** @return the JSON of a page that has this member */
    static String json(Path page, String member) throws IOException {
        return of(page).stream()
                .filter(block -> block.language().equals("json") && block.text().contains(member))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no JSON with " + member + " in " + page))
                .text();
    }
}
