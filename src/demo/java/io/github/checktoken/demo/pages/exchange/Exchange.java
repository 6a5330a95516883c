package io.github.checktoken.demo.pages.exchange;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;

/**
 * A call of checktoken: what a client posted and what it got.
 *
 * @param name what the texts about the caller are called by
 * @param address where the form was posted
 * @param form the fields of the form
 * @param error the members of an error; empty if it is none
 * @param answer what was opened; null if it is an error
 */
public record Exchange(
        String name,
        String clientId,
        String address,
        Map<String, String> form,
        int status,
        String contentType,
        String body,
        Map<String, String> error,
        OpenedAnswer answer) {

    /** Asks about a token. */
    public static Exchange ask(String realmUrl, DataProvider provider, String token) {
        HttpResponse<String> response = provider.client().post(token);
        String type = response.headers().firstValue("Content-Type").orElse("-");
        Checklist checks = new Checklist();
        OpenedAnswer answer = null;
        Map<String, String> error = Map.of();
        if (response.statusCode() != 200) {
            error = error(response.body());
        } else if (!checks.equal(Check.Name.STATUS, 200, 200)
                || !checks.equal(Check.Name.TYPE, "application/token-introspection+jwt", type)) {
            answer = new OpenedAnswer(null, null, null, checks.all());
        } else {
            answer = AnswerOpener.open(realmUrl, provider, response.body(), checks);
        }
        return new Exchange(
                provider.name(),
                provider.client().clientId(),
                provider.client().url(),
                form(provider.client(), token),
                response.statusCode(),
                type,
                response.body(),
                error,
                answer);
    }

    private static Map<String, String> form(DataProviderClient client, String token) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("client_id", client.clientId());
        form.put("client_secret", client.secret());
        form.put("token", token);
        return form;
    }

    private static Map<String, String> error(String json) {
        Map<String, String> members = new LinkedHashMap<>();
        Http.json(json)
                .properties()
                .forEach(
                        member -> members.put(member.getKey(), member.getValue().asText()));
        return members;
    }
}
