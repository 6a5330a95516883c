package io.github.checktoken.login.gate;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.checktoken.walk.browser.ScriptedBrowser;

/** A form that the server has not yet processed while the login of the same tab begins anew. */
final class RequestInFlight {

    /** The check of a slow secret has begun by then, and takes longer than the steps that follow. */
    static final int BEGUN_MILLIS = 300;

    private RequestInFlight() {}

    /**
     * Submits the form of the page, begins anew, takes further steps, and waits for the result of the form. The server
     * may let the new login wait, or reject it while the form is processed, so the steps must look at the page first.
     *
     * @param millis how long to wait before the login begins anew
     */
    static void during(ScriptedBrowser browser, Map<String, String> fields, int millis, Runnable steps) {
        during(browser, fields, millis, () -> browser.openLoginAction("restart"), steps);
    }

    /** @param beginAnew the request that begins anew */
    static void during(
            ScriptedBrowser browser, Map<String, String> fields, int millis, Runnable beginAnew, Runnable steps) {
        CompletableFuture<HttpResponse<String>> response = browser.submitWithoutWaiting(fields);
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        beginAnew.run();
        steps.run();
        browser.await(response);
    }
}
