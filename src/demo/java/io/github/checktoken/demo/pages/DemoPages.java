package io.github.checktoken.demo.pages;

import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import io.github.checktoken.demo.pages.exchange.DataProvider;
import io.github.checktoken.demo.pages.town.TownHall;
import io.github.checktoken.demo.pages.web.Request;
import io.github.checktoken.demo.pages.web.Response;
import io.github.checktoken.demo.pages.web.StyleSheet;
import io.github.checktoken.demo.pages.web.Templates;
import io.github.checktoken.demo.pages.web.Visitor;
import io.github.checktoken.demo.pages.web.WebServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.MailServer;

/**
 * The pages of the demo: a town hall at which people sign in, and that asks data providers on their behalf. They run
 * beside Keycloak, and only browsers on this machine can reach them.
 */
public final class DemoPages implements AutoCloseable {

    /** The port whose addresses the demo realm already allows. */
    public static final int USUAL_PORT = 8999;

    private final WebServer server;
    private final DemoClients clients;
    private final Templates templates;

    /**
     * @param port 0 for any free port
     * @param people who can sign in
     * @param mails all mails so far, the oldest first
     * @throws BindException if the port is in use
     */
    public DemoPages(Federation federation, int port, List<DemoPeople> people, Supplier<List<MailServer.Mail>> mails)
            throws IOException {
        server = new WebServer(port, federation.server().baseUrl().toString());
        clients = new DemoClients(federation, server.url());
        templates = new Templates(server.url());
        List<DataProvider> providers = DataProvider.all(federation);
        TownHall town = new TownHall(federation.url(), federation.town(), server.url());
        new TownHallPage(templates, town, people, server.visitors()).addTo(server);
        new AskPage(templates, town, federation, providers, clients.wrongKey()).addTo(server);
        server.page("/mails", (request, visitor) -> templates.page(200, "mails", visitor, MailList.model(mails.get())));
        server.page(BankPage.CALLBACK, new BankPage(templates, federation)::show);
        server.service(AnswerService.PATH, new AnswerService(federation.url(), providers)::open);
        server.page("/style.css", (request, visitor) -> Response.styleSheet(StyleSheet.css()));
        server.page("/icon.svg", (request, visitor) -> Response.icon(StyleSheet.icon()));
        server.action("/language", DemoPages::changeLanguage);
        server.start(this::error);
    }

    /** @return the address to open first */
    public String url() {
        return server.url() + "/";
    }

    /** @return where the bank's sign-ins come back to */
    public String bankCallback() {
        return server.url() + BankPage.CALLBACK;
    }

    /** @return where an answer of checktoken can be posted to have it opened */
    public String answerService() {
        return server.url() + AnswerService.PATH;
    }

    @Override
    public void close() {
        server.close();
        clients.close();
    }

    private static Response changeLanguage(Request request, Visitor visitor) {
        visitor.speak(Locale.forLanguageTag(request.field("language")));
        List<String> pages = List.of("/signed-in", "/answers", "/mails");
        String back = request.field("back");
        return Response.seeOther(pages.contains(back) ? back : "/");
    }

    private Response error(int status, Visitor visitor) {
        try {
            return templates.page(status, "error", visitor, Map.of("key", "error." + status, "details", ""));
        } catch (IOException e) {
            return Response.text(status, "");
        }
    }
}
