package io.github.checktoken.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.checktoken.bench.server.BenchServer;

/** Draws the CPU for each answer of the group {@code main} as bars, in plain SVG, with the machine and the date. */
final class Chart {

    private static final int WIDTH = 1000;
    private static final int LABEL = 480;
    private static final int VALUE = 190;
    private static final int BAR = 18;
    private static final int LINE = 24;
    private static final int HEADING = 60;

    private final StringBuilder svg = new StringBuilder();
    private int y = HEADING;

    private Chart() {}

    static String of(List<Row> rows, Map<String, String> setUp) {
        return new Chart()
                .draw(rows.stream().filter(row -> row.group().equals("main")).toList(), setUp);
    }

    private String draw(List<Row> rows, Map<String, String> setUp) {
        double most = rows.stream()
                .mapToDouble(row -> row.figure(Measurement::cpu).median())
                .max()
                .orElse(1);
        text(8, 20, "start", "font-weight=\"bold\"", "CPU for each answer, ms (× Keycloak's introspection)");
        text(8, 40, "start", "fill=\"#57606a\"", String.join(", ", setUp.get("Date"), setUp.get("JDK")));
        text(8, 56, "start", "fill=\"#57606a\"", setUp.get("Machine"));
        y += BAR / 2;
        rows.forEach(row -> bar(row, most));
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d"\
                 font-family="sans-serif" font-size="13">
                <rect width="100%%" height="100%%" fill="white"/>
                %3$s</svg>
                """.formatted(WIDTH, y + 8, svg);
    }

    private void bar(Row row, double most) {
        Figure cpu = row.figure(Measurement::cpu);
        double width = Math.max(1, (WIDTH - LABEL - VALUE) * cpu.median() / most);
        text(LABEL - 8, y + 14, "end", "", row.name());
        svg.append(format(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                LABEL, y, width, BAR, colour(row.name())));
        String times = row.ratio() == null ? "" : " (× " + row.ratio().text("%.2f") + ")";
        text(LABEL + (int) width + 6, y + 14, "start", "", cpu.text("%.2f") + times);
        y += LINE;
    }

    private static String colour(String name) {
        if (!name.startsWith("checktoken")) {
            return name.startsWith("Keycloak") ? "#8a94a6" : "#d4a72c";
        }
        return name.endsWith(BenchServer.WITH_CONSCRYPT) ? "#1f6feb" : "#9cc4ff";
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
