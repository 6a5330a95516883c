package io.github.checktoken.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.github.checktoken.demo.pages.DemoPages;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;

/**
 * Runs {@code mvn -Pdemo verify}: starts Keycloak with the JAR and the demo realm, shows the journey of one token, and
 * then keeps the server and the pages of the demo running until Ctrl-C. With {@code -Ddemo.exit} it stops after the journey.
 *
 * <p>It runs within Maven's own process, where {@code System.exit} would end the build. So it returns or throws.
 */
final class Demo {

    private static final int POLL_MILLIS = 250;
    private static final String PAGE = "--spi-realm-restapi-extension--data-providers--page=true";

    private final Printout out = new Printout(System.out);
    private final DemoPorts ports = new DemoPorts();
    private final Thread farewell = new Thread(this::sayFarewell, "demo-farewell");
    private volatile boolean stopping;

    private Demo() {}

    public static void main(String[] args) throws InterruptedException {
        new Demo().run();
    }

    private void run() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(farewell);
        try (DistributionServer server = start()) {
            play(server);
        } catch (IOException | UncheckedIOException e) {
            fail(e.toString());
        } catch (IllegalStateException | AssertionError | DemoFailed e) {
            fail(e.getMessage());
        }
        Runtime.getRuntime().removeShutdownHook(farewell);
    }

    private DistributionServer start() throws IOException {
        out.title("checktoken for Keycloak: the demo");
        int port = ports.keycloak();
        if (ports.pages() == 0) {
            out.line("Port %d is in use, so the pages of the demo get another one. To choose it, give -Ddemo.port=..."
                    .formatted(DemoPages.USUAL_PORT));
        }
        out.line("Keycloak starts with the JAR and the demo realm. This takes one or two minutes.");
        out.gap();
        try (Startup startup = new Startup(out)) {
            return new DistributionServer(port, List.of(PAGE), startup);
        }
    }

    private void play(DistributionServer server) throws IOException, InterruptedException {
        DemoRealm realm = DemoRealm.read();
        Federation federation = new Federation(server);
        try (Mailbox mailbox = new Mailbox(federation, out);
                DemoPages pages = new DemoPages(federation, ports.pages(), realm.people(), mailbox::mails)) {
            DemoScenario journey = new DemoScenario(federation, realm, out);
            journey.run();
            if (exitAfterJourney()) {
                return;
            }
            DemoGuide guide = new DemoGuide(federation, realm, pages, out);
            guide.print();
            guide.printTry(new ProviderFiles(federation).write());
            guide.printCurl(journey.freshToken());
            guide.printFirstAddress();
            while (server.isAlive()) {
                if (enterWasPressed()) {
                    guide.printCurl(journey.freshToken());
                }
                mailbox.printNewMail();
                Thread.sleep(POLL_MILLIS);
            }
        }
        fail("Keycloak has ended by itself. Its log: " + server.log());
    }

    private static boolean exitAfterJourney() {
        String exit = System.getProperty("demo.exit");
        return exit != null && !exit.equals("false");
    }

    /**
     * Looks whether there is input before it reads. Reading would block for ever without a terminal, and would suspend
     * a job in the background.
     */
    private static boolean enterWasPressed() {
        try {
            int typed = System.in.available();
            return typed > 0 && System.in.readNBytes(typed).length > 0;
        } catch (IOException e) {
            // Standard input is closed.
            return false;
        }
    }

    private void fail(String reason) throws InterruptedException {
        if (stopping) {
            // Ctrl-C has stopped the server. This is not a failure, so wait until the shutdown hooks have run.
            new CountDownLatch(1).await();
        }
        Runtime.getRuntime().removeShutdownHook(farewell);
        throw new DemoFailed(reason);
    }

    private void sayFarewell() {
        stopping = true;
        out.gap();
        out.line("Keycloak stops.");
    }
}
