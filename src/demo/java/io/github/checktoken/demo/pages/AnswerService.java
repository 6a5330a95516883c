package io.github.checktoken.demo.pages;

import java.util.List;
import java.util.Locale;

import io.github.checktoken.demo.pages.exchange.AnswerOpener;
import io.github.checktoken.demo.pages.exchange.Check;
import io.github.checktoken.demo.pages.exchange.DataProvider;
import io.github.checktoken.demo.pages.exchange.OpenedAnswer;
import io.github.checktoken.demo.pages.web.Request;
import io.github.checktoken.demo.pages.web.Response;
import io.github.checktoken.demo.pages.web.Texts;
import io.github.checktoken.demo.pages.web.Visitor;

/** Opens an answer that somebody got with curl, with the demo key for which it is encrypted. */
final class AnswerService {

    static final String PATH = "/open";

    private final String realmUrl;
    private final List<DataProvider> providers;

    AnswerService(String realmUrl, List<DataProvider> providers) {
        this.realmUrl = realmUrl;
        this.providers = providers;
    }

    /** @param nobody no visitor: programs call this */
    Response open(Request request, Visitor nobody) {
        String answer = request.body().strip();
        if (!answer.startsWith("eyJ")) {
            return Response.text(
                    400, "This is no encrypted answer, but what checktoken said instead:\n" + answer + "\n");
        }
        return providers.stream()
                .map(provider -> AnswerOpener.open(realmUrl, provider, answer))
                .filter(opened -> opened.payload() != null)
                .findFirst()
                .map(opened -> Response.text(200, text(opened)))
                .orElseGet(() -> Response.text(
                        400,
                        "No demo key opens this answer, or the realm has not signed it. "
                                + "Copy the command again: it has to be the whole answer of dp-tax or dp-health.\n"));
    }

    private static String text(OpenedAnswer opened) {
        StringBuilder text = new StringBuilder();
        text.append("Header of the JWE: ").append(Json.pretty(opened.encryption()));
        text.append("\nHeader of the JWS: ").append(Json.pretty(opened.signature()));
        text.append("\nPayload: ").append(Json.pretty(opened.payload())).append("\n");
        Texts texts = Texts.in(Locale.ENGLISH);
        for (Check check : opened.checks()) {
            text.append(texts.get("result." + check.result()))
                    .append(" ")
                    .append(texts.get("check." + check.name()))
                    .append("\n");
        }
        return text.toString();
    }
}
