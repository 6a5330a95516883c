package io.github.checktoken.introspection.endpoint;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * With health checks, Keycloak in production mode opens its port before it is ready, and answers 503 in the meantime. Here
 * the option that follows from them is set alone, because the test needs no second port.
 */
@Tag("long")
class StartingNodeIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));
    private static final Path JAR = Path.of(System.getProperty("checktoken.jar", ""));
    private static final String ANSWERED = "200";
    private static final String NOT_NOW = "503, Retry-After, "
            + "{\"error\":\"temporarily_unavailable\",\"error_description\":\"The server cannot answer now.\"}";

    @Test
    void callersAreToldToRepeatTheCall() throws IOException, InterruptedException, JOSEException {
        try (ProductionServer server = new ProductionServer(
                HOME.getParent(),
                "keycloak-starting",
                List.of(JAR),
                Stream.concat(new Database(HOME).arguments().stream(), Stream.of("--server-async-bootstrap=true"))
                        .toList(),
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home")))) {
            FreshRealm realm = new FreshRealm(server);
            DataProviderClient dataProvider = new NewDataProvider(
                            realm.admin(),
                            realm.url(),
                            new RSAKeyGenerator(2048).keyID("enc").generate())
                    .create();
            server.stop();
            CompletableFuture<Set<String>> posted =
                    CompletableFuture.supplyAsync(() -> untilAnswered(() -> dataProvider.post("a-token"), ANSWERED));
            CompletableFuture<Set<String>> opened = CompletableFuture.supplyAsync(
                    () -> untilAnswered(() -> Http.send(Http.request(dataProvider.url())), "405"));
            server.start();

            assertEquals(Set.of(NOT_NOW, ANSWERED), posted.join());
            Set<String> ofGet = opened.join();
            ofGet.removeIf(answer -> answer.startsWith("405"));
            assertEquals(Set.of(NOT_NOW), ofGet);
        }
    }

    /** @return each kind of answer, up to the first with this status */
    private static Set<String> untilAnswered(Supplier<HttpResponse<String>> call, String status) {
        Set<String> answers = new TreeSet<>();
        while (answers.stream().noneMatch(answer -> answer.startsWith(status))) {
            try {
                HttpResponse<String> response = call.get();
                boolean hasTime = response.headers().firstValue("Retry-After").isPresent();
                answers.add(
                        response.statusCode() == 200
                                ? ANSWERED
                                : response.statusCode() + (hasTime ? ", Retry-After, " : ", ") + response.body());
            } catch (RuntimeException | AssertionError e) {
                // Nothing listens yet.
                assertTrue(answers.isEmpty(), () -> "no answer after " + answers + ": " + e);
            }
        }
        return answers;
    }
}
