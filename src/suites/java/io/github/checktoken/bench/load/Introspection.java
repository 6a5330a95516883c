package io.github.checktoken.bench.load;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.ServerMeter;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;

/**
 * Introspection calls, with checktoken or with Keycloak's own endpoint. If there are several, wrk chooses one at random
 * each time.
 *
 * @param isNative whether it is Keycloak's own endpoint
 * @param calls who asks about which token
 * @param active whether all these tokens are active
 */
record Introspection(
        String name,
        String baseline,
        BenchServer server,
        LoadFiles files,
        boolean isNative,
        List<Call> calls,
        boolean active,
        int connections)
        implements Scenario {

    private static final Random RANDOM = new Random(1);

    record Call(DataProviderClient caller, String token) {}

    @Override
    public ServerMeter meter() {
        return server.meter();
    }

    @Override
    public Wrk.Load checked() {
        Call call = calls.get(RANDOM.nextInt(calls.size()));
        String url = url(call);
        HttpResponse<String> response = Http.send(Http.form(url, form(call.caller(), call.token())));
        if (response.statusCode() != 200) {
            throw new AssertionError(name + ": " + response.statusCode() + " " + response.body());
        }
        String body = response.body();
        if (isNative) {
            checkNative(Http.json(body));
        } else {
            checkAnswer(call.caller().read(body));
        }
        String sign = isNative ? "\"active\":" + active : "eyJ";
        List<Map<String, String>> forms =
                calls.stream().map(each -> form(each.caller(), each.token())).toList();
        return files.introspections(url, connections, forms, "", sign, body.length());
    }

    private void checkNative(JsonNode answer) {
        boolean right = answer.get("active").asBoolean() == active
                && answer.has("sub") == active
                && answer.has("scope") == active;
        if (!right) {
            throw new AssertionError(name + ": a wrong answer of Keycloak's own endpoint");
        }
    }

    private void checkAnswer(Answer answer) {
        Map<String, Object> introspection = answer.introspection();
        boolean right = answer.active() == active
                && introspection.containsKey("scope") == active
                && "Moreau".equals(introspection.get("family_name")) == active;
        if (!right) {
            throw new AssertionError(name + ": a wrong answer of checktoken");
        }
    }

    private String url(Call call) {
        String checktoken = call.caller().url();
        return isNative
                ? checktoken.replace("/api/v2/checktoken", "/protocol/openid-connect/token/introspect")
                : checktoken;
    }

    static Map<String, String> form(DataProviderClient caller, String token) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("client_id", caller.clientId());
        form.put("client_secret", caller.secret());
        form.put("token", token);
        return form;
    }
}
