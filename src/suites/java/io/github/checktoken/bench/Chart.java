package io.github.checktoken.bench;

import java.util.List;
import java.util.Locale;

/** Draws the CPU for each answer as bars, group by group, in plain SVG. */
final class Chart {

    private static final int WIDTH = 900;
    private static final int LABEL = 390;
    private static final int VALUE = 110;
    private static final int BAR = 18;
    private static final int LINE = 24;
    private static final int HEADING = 34;

    private static final String BASELINE_COLOUR = "#8a94a6";
    private static final String COLOUR = "#1f6feb";

    private final List<Row> rows;
    private final StringBuilder svg = new StringBuilder();
    private int y;

    private Chart(List<Row> rows) {
        this.rows = rows;
    }

    static String of(List<Row> rows) {
        return new Chart(rows).draw();
    }

    private String draw() {
        String group = "";
        for (Row row : rows) {
            if (!row.group().equals(group)) {
                group = row.group();
                y += HEADING;
                text(8, y - 8, "start", "font-weight=\"bold\"", group + ": server CPU for each answer, ms");
            }
            bar(row);
        }
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d"\
                 font-family="sans-serif" font-size="13">
                <rect width="100%%" height="100%%" fill="white"/>
                %3$s</svg>
                """.formatted(WIDTH, y + 12, svg);
    }

    /** The bars of a group have one scale. */
    private void bar(Row row) {
        double most = rows.stream()
                .filter(other -> other.group().equals(row.group()))
                .mapToDouble(other -> other.median().cpu())
                .max()
                .orElseThrow();
        double width = Math.max(1, (WIDTH - LABEL - VALUE) * row.median().cpu() / most);
        boolean compared = !Double.isNaN(row.ratio());
        text(LABEL - 8, y + 14, "end", "", (row.size() == 0 ? "" : row.size() + ": ") + row.name());
        svg.append(format(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                LABEL, y, width, BAR, compared ? COLOUR : BASELINE_COLOUR));
        String value = format("%.2f", row.median().cpu()) + (compared ? format(" (× %.2f)", row.ratio()) : "");
        text(LABEL + (int) width + 6, y + 14, "start", "", value);
        y += LINE;
    }

    private void text(int x, int baseline, String anchor, String attributes, String text) {
        svg.append(format(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>\n",
                x, baseline, anchor, attributes, text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
