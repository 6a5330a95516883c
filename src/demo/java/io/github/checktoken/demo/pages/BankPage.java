package io.github.checktoken.demo.pages;

import java.io.IOException;
import java.util.Map;

import io.github.checktoken.demo.pages.web.Request;
import io.github.checktoken.demo.pages.web.Response;
import io.github.checktoken.demo.pages.web.Templates;
import io.github.checktoken.demo.pages.web.Visitor;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;

/** Where a sign-in by hand ends: shows what came back to the bank, and how to exchange the code for tokens. */
final class BankPage {

    static final String CALLBACK = "/sp-bank/callback";

    private final Templates templates;
    private final String tokenEndpoint;
    private final ServiceProvider bank;

    BankPage(Templates templates, Federation federation) {
        this.templates = templates;
        this.tokenEndpoint = federation.url() + "/protocol/openid-connect/token";
        this.bank = federation.bank();
    }

    Response show(Request request, Visitor visitor) throws IOException {
        Map<String, String> parameters = request.parameters();
        // The code goes into a command, and a page may be opened with anything.
        String code = parameters.getOrDefault("code", "").replaceAll("[^A-Za-z0-9._-]", "");
        return templates.page(
                200,
                "bank",
                visitor,
                Map.of(
                        "parameters", parameters,
                        "code", code,
                        "callback", CALLBACK,
                        "tokenEndpoint", tokenEndpoint,
                        "clientId", bank.clientId(),
                        "secret", bank.secret()));
    }
}
