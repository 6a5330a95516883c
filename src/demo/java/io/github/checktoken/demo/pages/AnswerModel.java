package io.github.checktoken.demo.pages;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.demo.pages.exchange.Check;
import io.github.checktoken.demo.pages.exchange.Exchange;
import io.github.checktoken.demo.pages.exchange.OpenedAnswer;

/** What the page with the answers shows: each exchange by itself, and what the answers have in common. */
final class AnswerModel {

    private static final int START_OF_ANSWER = 120;

    private final AskedQuestion asked;

    AnswerModel(AskedQuestion asked) {
        this.asked = asked;
    }

    /**
     * An exchange as text.
     *
     * @param start the first characters of the answer
     * @param outcome the end of a key of texts: what the caller does now
     * @param missingScope the scope that the token lacks; empty if it lacks none
     */
    public record Shown(
            String name,
            String clientId,
            String address,
            Map<String, String> form,
            int status,
            String contentType,
            int length,
            String start,
            Map<String, String> error,
            String encryption,
            String signature,
            String payload,
            List<Check> checks,
            String outcome,
            String missingScope) {}

    /** A scope of the token, and for each data provider whether the answer had it. */
    public record ScopeRow(String scope, List<Boolean> seen) {}

    /** A member of the answers, with its value in each; empty if the answer does not have it. */
    public record MemberRow(String member, List<String> values, boolean different) {}

    Map<String, Object> values() {
        return Map.of(
                "kind", asked.kind().name(),
                "exchanges", asked.exchanges().stream().map(this::shown).toList(),
                "opened", asked.exchanges().stream().anyMatch(exchange -> exchange.answer() != null),
                "scopes", active().isEmpty() ? List.of() : scopes(),
                "members", active().size() < 2 ? List.of() : members());
    }

    private Shown shown(Exchange exchange) {
        OpenedAnswer answer = exchange.answer();
        boolean opened = answer != null;
        return new Shown(
                exchange.name(),
                exchange.clientId(),
                exchange.address(),
                exchange.form(),
                exchange.status(),
                exchange.contentType(),
                exchange.body().length(),
                exchange.body()
                        .substring(0, Math.min(START_OF_ANSWER, exchange.body().length())),
                exchange.error(),
                opened ? Json.pretty(answer.encryption()) : null,
                opened ? Json.pretty(answer.signature()) : null,
                opened ? Json.pretty(answer.payload()) : null,
                opened ? answer.checks() : List.of(),
                outcome(exchange),
                opened ? missingScope(answer) : "");
    }

    private static String missingScope(OpenedAnswer answer) {
        return answer.checks().stream()
                .filter(check -> check.name() == Check.Name.SCOPE && check.result() == Check.Result.FAILED)
                .map(Check::expected)
                .findFirst()
                .orElse("");
    }

    private String outcome(Exchange exchange) {
        OpenedAnswer answer = exchange.answer();
        if (answer == null) {
            return Set.of(403, 503).contains(exchange.status()) ? "" + exchange.status() : "error";
        }
        if (answer.inactive()) {
            return asked.kind() == AskedQuestion.Kind.SIGNED_OUT ? "signed-out" : "inactive";
        }
        if (answer.accepted()) {
            return "accepted";
        }
        boolean onlyTheScope = answer.checks().stream()
                .filter(check -> check.result() == Check.Result.FAILED)
                .allMatch(check -> check.name() == Check.Name.SCOPE);
        return onlyTheScope ? "no-scope" : "rejected";
    }

    private List<Exchange> active() {
        return asked.exchanges().stream()
                .filter(exchange -> exchange.answer() != null
                        && exchange.answer().introspection().path("active").asBoolean())
                .toList();
    }

    private List<ScopeRow> scopes() {
        return asked.signIn().scopes().stream()
                .map(scope -> new ScopeRow(
                        scope,
                        active().stream()
                                .map(exchange -> List.of(exchange.answer()
                                                .introspection()
                                                .path("scope")
                                                .asText()
                                                .split(" "))
                                        .contains(scope))
                                .toList()))
                .toList();
    }

    private List<MemberRow> members() {
        Set<String> names = new LinkedHashSet<>(List.of("sub", "scope"));
        active().forEach(exchange ->
                exchange.answer().introspection().fieldNames().forEachRemaining(names::add));
        List<MemberRow> rows = new ArrayList<>();
        for (String name : names) {
            List<String> values = active().stream()
                    .map(exchange -> text(exchange.answer().introspection().get(name)))
                    .toList();
            rows.add(new MemberRow(name, values, values.stream().distinct().count() > 1));
        }
        return rows;
    }

    private static String text(JsonNode value) {
        return value == null ? "" : value.isValueNode() ? value.asText() : Json.line(value);
    }
}
