package io.github.checktoken.login.gate.honest;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.checktoken.support.browser.Cookies;
import io.github.checktoken.support.client.Http;

/** The cookies that all tabs of a browser share. It can send several requests at once. */
final class HonestBrowser {

    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    };

    private final Cookies cookies = new Cookies();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    HttpResponse<String> get(String url) {
        return send(Http.request(url));
    }

    HttpResponse<String> post(String url, Map<String, String> fields) {
        return send(Http.form(url, fields));
    }

    /**
     * @return the requests with the status 500. An identity provider that refuses a code's second use gives 502, which is
     *     no failure of this server
     */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /**
     * Does all at the same moment, and waits for all.
     *
     * @return the results in the order in which they came
     */
    @SafeVarargs
    static <T> List<T> atOnce(Supplier<T>... requests) {
        Queue<T> answers = new ConcurrentLinkedQueue<>();
        CompletableFuture.allOf(List.of(requests).stream()
                        .map(request -> CompletableFuture.runAsync(() -> answers.add(request.get()), THREADS))
                        .toArray(CompletableFuture[]::new))
                .join();
        return List.copyOf(answers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        synchronized (cookies) {
            cookies.addTo(request);
        }
        HttpResponse<String> response = Http.send(request);
        synchronized (cookies) {
            cookies.keep(response, name -> true);
        }
        if (response.statusCode() == 500) {
            failures.add(response.statusCode() + " " + response.request().method() + " "
                    + response.uri().getPath());
        }
        return response;
    }
}
