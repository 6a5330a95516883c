package io.github.checktoken.demo.pages;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.nimbusds.oauth2.sdk.id.State;
import io.github.checktoken.demo.pages.AskedQuestion.Kind;
import io.github.checktoken.demo.pages.exchange.DataProvider;
import io.github.checktoken.demo.pages.exchange.Exchange;
import io.github.checktoken.demo.pages.town.SignIn;
import io.github.checktoken.demo.pages.town.TownHall;
import io.github.checktoken.demo.pages.web.Request;
import io.github.checktoken.demo.pages.web.Response;
import io.github.checktoken.demo.pages.web.Templates;
import io.github.checktoken.demo.pages.web.Visitor;
import io.github.checktoken.demo.pages.web.WebServer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;

/** Asks checktoken about the access token of the person who is signed in, and shows what was sent and received. */
final class AskPage {

    private final Templates templates;
    private final TownHall town;
    private final String realmUrl;
    private final List<DataProvider> providers;
    private final DataProvider wrongKey;
    private final DataProvider bank;

    AskPage(
            Templates templates,
            TownHall town,
            Federation federation,
            List<DataProvider> providers,
            DataProvider wrongKey) {
        this.templates = templates;
        this.town = town;
        this.realmUrl = federation.url();
        this.providers = providers;
        this.wrongKey = wrongKey;
        this.bank = asDataProvider(federation.bank());
    }

    void addTo(WebServer server) {
        server.action("/ask", this::ask);
        server.action("/ask-as-no-data-provider", (request, visitor) -> ask(visitor, Kind.NO_DATA_PROVIDER, bank));
        server.action("/ask-with-a-wrong-key", (request, visitor) -> ask(visitor, Kind.WRONG_KEY, wrongKey));
        server.action("/sign-out", this::signOut);
        server.page(TownHall.SIGNED_OUT, this::signedOut);
        server.page("/signed-out", this::bye);
        server.page("/answers", this::answers);
    }

    private Response ask(Request request, Visitor visitor) {
        String name = request.field("data-provider");
        DataProvider[] asked = providers.stream()
                .filter(provider -> name.equals("both") || provider.name().equals(name))
                .toArray(DataProvider[]::new);
        return ask(visitor, Kind.TOKEN, asked);
    }

    private Response ask(Visitor visitor, Kind kind, DataProvider... asked) {
        Optional<SignIn> signIn = visitor.get(SignIn.class);
        if (signIn.isEmpty() || asked.length == 0) {
            return Response.seeOther("/signed-in");
        }
        visitor.remember(question(kind, signIn.get(), List.of(asked)));
        return Response.seeOther("/answers");
    }

    private AskedQuestion question(Kind kind, SignIn signIn, List<DataProvider> asked) {
        return new AskedQuestion(
                kind,
                signIn,
                asked.stream()
                        .map(provider -> Exchange.ask(realmUrl, provider, signIn.accessToken()))
                        .toList());
    }

    /**
     * The state with which the browser has to come back, so that no other site can claim that somebody signed out.
     *
     * @param asking whether the data providers then ask once more
     */
    private record PendingSignOut(State state, boolean asking) {}

    private Response signOut(Request request, Visitor visitor) {
        Optional<SignIn> signIn = visitor.get(SignIn.class);
        if (signIn.isEmpty()) {
            return Response.seeOther("/signed-in");
        }
        State state = new State();
        visitor.remember(new PendingSignOut(state, request.field("then").equals("ask")));
        return Response.seeOther(town.signOut(signIn.get(), state).toString());
    }

    private Response signedOut(Request request, Visitor visitor) throws IOException {
        Optional<SignIn> signIn = visitor.get(SignIn.class);
        Optional<PendingSignOut> pending = visitor.get(PendingSignOut.class);
        visitor.forget(PendingSignOut.class);
        if (signIn.isEmpty()
                || pending.isEmpty()
                || !pending.get().state().getValue().equals(request.parameters().get("state"))) {
            return templates.page(400, "error", visitor, Map.of("key", "sign-out.unknown", "details", ""));
        }
        visitor.forget(SignIn.class);
        if (!pending.get().asking()) {
            visitor.forget(AskedQuestion.class);
            return Response.seeOther("/signed-out");
        }
        visitor.remember(question(Kind.SIGNED_OUT, signIn.get(), providers));
        return Response.seeOther("/answers");
    }

    private Response bye(Request request, Visitor visitor) throws IOException {
        return templates.page(200, "error", visitor, Map.of("key", "signed-out", "details", ""));
    }

    private Response answers(Request request, Visitor visitor) throws IOException {
        Optional<AskedQuestion> asked = visitor.get(AskedQuestion.class);
        if (asked.isEmpty()) {
            return templates.page(200, "error", visitor, Map.of("key", "nothing.answers", "details", ""));
        }
        Map<String, Object> model = new HashMap<>(new AnswerModel(asked.get()).values());
        model.put("signedIn", visitor.get(SignIn.class).isPresent());
        return templates.page(200, "answers", visitor, model);
    }

    /** A service provider that calls checktoken as if it were a data provider. It has no key, and needs none. */
    private DataProvider asDataProvider(ServiceProvider client) {
        return new DataProvider(
                "bank", new DataProviderClient(realmUrl, client.clientId(), client.secret(), null), "", "", "", "");
    }
}
