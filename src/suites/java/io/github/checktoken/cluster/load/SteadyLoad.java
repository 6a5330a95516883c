package io.github.checktoken.cluster.load;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.client.DataProviderClient;

/**
 * Calls checktoken with a valid token so many times a second, also if answers are late. A call's time begins when it is
 * due, as for a caller who has to wait for a free connection.
 */
public final class SteadyLoad {

    private final DataProviderClient dataProvider;
    private final String token;
    private final int perSecond;

    public SteadyLoad(DataProviderClient dataProvider, String token, int perSecond) {
        this.dataProvider = dataProvider;
        this.token = token;
        this.perSecond = perSecond;
    }

    /** @param node the node that HAProxy chose */
    public record Call(Duration due, Duration took, String node, int status) {}

    /** @return all calls, in the order in which they were due */
    public List<Call> run(Duration time) throws InterruptedException, ExecutionException {
        ExecutorService callers = Executors.newCachedThreadPool();
        List<Future<Call>> pending = new ArrayList<>();
        long begin = System.nanoTime();
        for (int call = 0; call < time.toSeconds() * perSecond; call++) {
            long due = begin + TimeUnit.SECONDS.toNanos(call) / perSecond;
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            pending.add(callers.submit(() -> call(begin, due)));
        }
        List<Call> calls = new ArrayList<>();
        for (Future<Call> call : pending) {
            calls.add(call.get());
        }
        callers.shutdown();
        return calls;
    }

    private Call call(long begin, long due) {
        HttpResponse<String> response = dataProvider.post(token);
        return new Call(
                Duration.ofNanos(due - begin),
                Duration.ofNanos(System.nanoTime() - due),
                response.headers().firstValue(HaproxyServer.NODE).orElse("no node"),
                response.statusCode());
    }

    /** @param percent such as 99 for p99 */
    public static Duration percentile(List<Call> calls, int percent) {
        List<Duration> times = calls.stream().map(Call::took).sorted().toList();
        return times.get(times.size() * percent / 100);
    }
}
