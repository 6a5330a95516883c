// Checks an access token, given as the argument or on the standard input. Needs Java 17 or later, and two JARs:
// mvn -f /path/to/checkout/clients/java/pom.xml package -DskipTests
// cp /path/to/checkout/clients/java/target/checktoken-client-1.0.0.jar .
// mvn dependency:copy -Dartifact=com.nimbusds:nimbus-jose-jwt:10.10 -DoutputDirectory=.
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.client.*;
import java.io.IOException;
import java.nio.file.*;
import java.text.ParseException;
import java.util.*;
import java.util.stream.*;

class Check {

    public static void main(String[] arguments) throws IOException {
        Map<String, String> settings = System.getenv();
        String missing = Stream.of("REALM", "CLIENT_ID", "CLIENT_SECRET")
                .filter(name -> settings.getOrDefault(name, "").isEmpty())
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            stop("Not set: " + missing);
        }
        String token = arguments.length > 0 ? arguments[0] : new String(System.in.readAllBytes()).strip();
        if (token.isEmpty()) {
            stop("No access token, neither as the argument nor on the standard input");
        }
        List<JWK> privateKeys = new ArrayList<>();
        for (String file : settings.getOrDefault("PRIVATE_KEYS", "private.jwk.json").split(" ")) {
            try {
                privateKeys.add(JWK.parse(Files.readString(Path.of(file))));
            } catch (IOException | ParseException e) {
                stop(file + " cannot be read, or is no private key as a JWK");
            }
        }
        try {
            // A server makes one, and keeps it.
            CheckToken checkToken = CheckToken.builder(settings.get("REALM"), settings.get("CLIENT_ID"))
                    .secret(settings.get("CLIENT_SECRET"))
                    .decryptionKeys(privateKeys.toArray(JWK[]::new))
                    .build();
            Answer answer = checkToken.check(token);
            // Only to look at it. Your API does: Answer.Person person = answer.require("tax_income").person();
            System.out.println(JSONObjectUtils.toJSONString(answer.unchecked()));
        } catch (CheckTokenException e) {
            stop(e.getMessage());
        }
    }

    static void stop(String message) {
        System.err.println(message);
        System.exit(1);
    }
}
