package io.github.checktoken.demo.pages;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.checktoken.demo.pages.town.PendingSignIns;
import io.github.checktoken.demo.pages.town.SignIn;
import io.github.checktoken.demo.pages.town.SignInChoice;
import io.github.checktoken.demo.pages.town.SignInFailed;
import io.github.checktoken.demo.pages.town.SignInMeaning;
import io.github.checktoken.demo.pages.town.TownHall;
import io.github.checktoken.demo.pages.web.Request;
import io.github.checktoken.demo.pages.web.Response;
import io.github.checktoken.demo.pages.web.Templates;
import io.github.checktoken.demo.pages.web.Visitor;
import io.github.checktoken.demo.pages.web.Visitors;
import io.github.checktoken.demo.pages.web.WebServer;

/** Where a person chooses what the town hall asks for, signs in, and sees what the town hall has learnt. */
final class TownHallPage {

    private final Templates templates;
    private final TownHall town;
    private final List<DemoPeople> people;
    private final Visitors visitors;

    TownHallPage(Templates templates, TownHall town, List<DemoPeople> people, Visitors visitors) {
        this.templates = templates;
        this.town = town;
        this.people = people;
        this.visitors = visitors;
    }

    void addTo(WebServer server) {
        server.page("/", this::choose);
        server.action("/sign-in", this::signIn);
        server.page(TownHall.CALLBACK, this::comeBack);
        server.page("/signed-in", this::signedIn);
    }

    private Response choose(Request request, Visitor visitor) throws IOException {
        return templates.page(
                200,
                "town-hall",
                visitor,
                Map.of(
                        "choice",
                        visitor.get(SignInChoice.class).orElse(SignInChoice.FIRST),
                        "ownScopes",
                        SignInChoice.OWN_SCOPES,
                        "dataScopes",
                        SignInChoice.DATA_SCOPES,
                        "levels",
                        SignInChoice.LEVELS,
                        "people",
                        people,
                        "signedIn",
                        visitor.get(SignIn.class).isPresent()));
    }

    private Response signIn(Request request, Visitor visitor) {
        SignInChoice choice = SignInChoice.of(
                request.fields("scope"),
                request.field("acr"),
                !request.field("amr").isEmpty());
        visitor.remember(choice);
        PendingSignIns pending = visitor.get(PendingSignIns.class).orElseGet(PendingSignIns::new);
        visitor.remember(pending);
        return Response.seeOther(town.begin(choice, visitor.language(), pending).toString());
    }

    private Response comeBack(Request request, Visitor visitor) throws IOException {
        try {
            PendingSignIns pending = visitor.get(PendingSignIns.class).orElseGet(PendingSignIns::new);
            visitor.remember(town.end(request.query(), pending));
            visitors.renew(visitor);
            return Response.seeOther("/signed-in");
        } catch (SignInFailed e) {
            if (e.reason() == SignInFailed.Reason.UNKNOWN_STATE
                    && visitor.get(SignIn.class).isPresent()) {
                // Somebody who is signed in has pressed Back, and has come to an answer that was used before.
                return Response.seeOther("/signed-in");
            }
            return templates.page(
                    400, "error", visitor, Map.of("key", "sign-in." + e.reason(), "details", e.getMessage()));
        }
    }

    private Response signedIn(Request request, Visitor visitor) throws IOException {
        Optional<SignIn> known = visitor.get(SignIn.class);
        if (known.isEmpty()) {
            return templates.page(200, "error", visitor, Map.of("key", "nothing.signed-in", "details", ""));
        }
        SignIn signIn = known.get();
        SignInMeaning meaning = new SignInMeaning(signIn);
        Map<String, Object> model = new HashMap<>();
        model.put("name", (signIn.claim("given_name") + " " + signIn.claim("family_name")).strip());
        model.put("header", Json.pretty(signIn.header()));
        model.put("claims", Json.pretty(signIn.claims()));
        model.put("acr", signIn.claim("acr"));
        model.put("askedAcr", signIn.choice().acr());
        model.put("level", meaning.level());
        model.put("methods", meaning.methods());
        model.put("secondFactor", meaning.secondFactor());
        model.put("secondFactorIsDone", meaning.secondFactorIsDone());
        model.put("scopes", String.join(" ", signIn.scopes()));
        model.put("accessToken", signIn.accessToken());
        model.put("expiry", Json.time(signIn.expiry()));
        return templates.page(200, "signed-in", visitor, model);
    }
}
