package io.github.checktoken.introspection.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProblemNameTest {

    private static final Path CODE = Path.of("src/main/java/io/github/checktoken/introspection");
    private static final Pattern MESSAGE = Pattern.compile("\"(checktoken[A-Z]\\w+)\"");

    /** Otherwise the filter would reject the name of a problem that there is. */
    @Test
    void eachProblemHasAName() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String file :
                new String[] {"admin/DataProviderCheck", "admin/RegistrationReview", "dataprovider/AnswerPreflight"}) {
            names.addAll(MESSAGE.matcher(Files.readString(CODE.resolve(file + ".java")))
                    .results()
                    .map(found -> ProblemName.of(found.group(1)))
                    .collect(Collectors.toSet()));
        }
        assertEquals(names, new TreeSet<>(ProblemName.ALL));
    }

    @Test
    void openApiHasEachName() throws IOException {
        Set<String> documented = new YAMLMapper()
                .readTree(Path.of("docs", "openapi.yaml").toFile())
                .at("/components/schemas/ProblemName/enum")
                .valueStream()
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
        assertEquals(documented, ProblemName.ALL);
    }

    @Test
    void anyIsAFilterAndWhatIsMisspeltIsNone() {
        assertTrue(ProblemName.isKnown("any"));
        assertTrue(ProblemName.isKnown("noSalt"));
        assertFalse(ProblemName.isKnown("nosalt"));
        assertFalse(ProblemName.isKnown(""));
    }
}
