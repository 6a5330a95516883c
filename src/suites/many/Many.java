import java.net.URI;
import java.net.URLEncoder;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.client.CheckToken;
import io.github.checktoken.client.CheckTokenException;

class Many {

    static final Map<String, String> SETTINGS = System.getenv();
    static final String TOKEN = SETTINGS.get("TOKEN");

    public static void main(String[] arguments) throws Exception {
        CheckToken.Builder settings = CheckToken.builder(SETTINGS.get("REALM"), SETTINGS.get("CLIENT_ID"))
                .secret(SETTINGS.get("CLIENT_SECRET"))
                .decryptionKeys(JWK.parse(Files.readString(Path.of(SETTINGS.get("PRIVATE_KEYS")))));
        if (SETTINGS.containsKey("CONNECT_TO")) {
            settings.connectTo(SETTINGS.get("CONNECT_TO"));
        }
        CheckToken checkToken = settings.build();
        burst("library", () -> {
            try {
                return Boolean.TRUE.equals(checkToken.check(TOKEN).unchecked().get("active")) ? "active" : "inactive";
            } catch (CheckTokenException e) {
                return e.reason();
            }
        });
        if (SETTINGS.containsKey("BARE")) {
            burst("bare", bare());
        }
        System.exit(0);
    }

    static Callable<String> bare() {
        HttpClient client = HttpClient.newHttpClient();
        String form = Stream.of(
                        "client_id",
                        SETTINGS.get("CLIENT_ID"),
                        "client_secret",
                        SETTINGS.get("CLIENT_SECRET"),
                        "token",
                        TOKEN)
                .map(text -> URLEncoder.encode(text, StandardCharsets.UTF_8))
                .collect(Collectors.joining("\n"))
                .replaceAll("(.*)\n(.*)\n(.*)\n(.*)\n(.*)\n(.*)", "$1=$2&$3=$4&$5=$6");
        HttpRequest request = HttpRequest.newBuilder(URI.create(SETTINGS.get("REALM") + "/api/v2/checktoken"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return () -> {
            try {
                return ""
                        + client.send(request, HttpResponse.BodyHandlers.ofString())
                                .statusCode();
            } catch (Exception e) {
                return "failed";
            }
        };
    }

    static void burst(String name, Callable<String> call) throws Exception {
        int checks = Integer.parseInt(SETTINGS.get("CHECKS"));
        ExecutorService threads = Executors.newFixedThreadPool(checks);
        List<Long> times = Collections.synchronizedList(new ArrayList<>());
        List<Callable<String>> calls = Collections.nCopies(checks, () -> {
            long begun = System.nanoTime();
            String outcome = call.call();
            times.add((System.nanoTime() - begun) / 1_000_000);
            return outcome;
        });
        Map<String, Integer> counts = new TreeMap<>();
        for (Future<String> outcome : threads.invokeAll(calls)) {
            counts.merge(outcome.get(), 1, Integer::sum);
        }
        Collections.sort(times);
        System.out.println("{\"name\":\"" + name + "\",\"counts\":{"
                + counts.entrySet().stream()
                        .map(count -> "\"" + count.getKey() + "\":" + count.getValue())
                        .collect(Collectors.joining(","))
                + "},\"p99\":" + times.get((int) Math.ceil(checks * 0.99) - 1) + "}");
    }
}
