package io.github.checktoken.conformance;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.checktoken.support.server.SameEachTime;
import org.opentest4j.TestAbortedException;

/** What a module was answered, and what is wrong with it. */
final class TestResult {

    static final String FAILED = "failed: ";

    private final List<String> warnings = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();

    /** @return the verdict in the first line, then each answer */
    static String of(Consumer<TestResult> module) {
        TestResult result = new TestResult();
        String verdict = "passed";
        try {
            module.accept(result);
        } catch (TestAbortedException e) {
            verdict = "skipped: " + e.getMessage();
        } catch (AssertionError e) {
            verdict = FAILED + SameEachTime.text(e.getMessage()).replaceAll("\\s+", " ");
        }
        return verdict + String.join("", result.warnings) + "\n" + String.join("\n", result.answers);
    }

    HttpResponse<String> saw(String endpoint, HttpResponse<String> response) {
        answers.add(endpoint + ": " + ResponseText.of(response));
        return response;
    }

    /** @param rule the section of a specification, and what it recommends */
    void should(boolean kept, String rule) {
        if (!kept) {
            warnings.add("; warning: " + rule);
        }
    }
}
