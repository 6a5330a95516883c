package io.github.checktoken.introspection.admin;

import java.io.InputStream;
import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.keycloak.headers.SecurityHeadersProvider;
import org.keycloak.models.KeycloakSession;

/**
 * The page under {@code /realms/{realm}/data-providers}: files without any data. Its script signs the administrator in
 * and reads what {@link DataProvidersResource} gives to that administrator.
 */
public final class DataProvidersPage {

    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final KeycloakSession session;

    DataProvidersPage(KeycloakSession session) {
        this.session = session;
    }

    @GET
    public Response page() {
        return response("page.html", "text/html");
    }

    @GET
    @Path("{name:[a-z-]+}.{type:css|js}")
    public Response file(@PathParam("name") String name, @PathParam("type") String type) {
        return response(name + "." + type, type.equals("js") ? "text/javascript" : "text/css");
    }

    private Response response(String name, String type) {
        InputStream file = getClass().getResourceAsStream("page/" + name);
        if (file == null) {
            throw new NotFoundException();
        }
        // Keycloak would replace the policy by that of the realm's login pages.
        session.getProvider(SecurityHeadersProvider.class).options().skipHeaders();
        Map<String, String> realmHeaders = session.getContext().getRealm().getBrowserSecurityHeaders();
        return Response.ok(file)
                .type(type + ";charset=utf-8")
                .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("X-Robots-Tag", "none")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("Strict-Transport-Security", realmHeaders.get("strictTransportSecurity"))
                .build();
    }
}
