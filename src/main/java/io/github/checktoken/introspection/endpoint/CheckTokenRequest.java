package io.github.checktoken.introspection.endpoint;

import java.util.List;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;

import org.keycloak.OAuth2Constants;
import org.keycloak.http.HttpRequest;
import org.keycloak.models.KeycloakSession;
import org.keycloak.utils.StringUtil;

import io.github.checktoken.introspection.dataprovider.ClientCertificates;

/**
 * The form of one call (RFC 7662 section 2.1), checked: it has a token and client credentials.
 *
 * @param form all parameters, each with exactly one value
 */
record CheckTokenRequest(MultivaluedMap<String, String> form) {

    static final String TOKEN = "token";

    /** @throws CheckTokenException if a browser sent it, the body is not a form, or a parameter is repeated, blank or missing */
    static CheckTokenRequest of(KeycloakSession session) throws CheckTokenException {
        HttpRequest request = session.getContext().getHttpRequest();
        if (isFromBrowser(request.getHttpHeaders())) {
            throw new CheckTokenException(CheckTokenError.SENT_BY_A_BROWSER, "sent by a browser");
        }
        if (!isForm(request.getHttpHeaders().getHeaderString(HttpHeaders.CONTENT_TYPE))) {
            throw new CheckTokenException(CheckTokenError.UNSUPPORTED_MEDIA_TYPE, "content type is not a form");
        }
        MultivaluedMap<String, String> form = request.getDecodedFormParameters();
        for (List<String> values : form.values()) {
            if (values.size() != 1) {
                throw invalid("repeated parameter");
            }
        }
        CheckTokenRequest checked = new CheckTokenRequest(form);
        checked.requireParameters(session, request);
        return checked;
    }

    /**
     * A data provider is a server. A page of somebody else could make a browser in the data provider's network send
     * wrong secrets, until the limit for guesses locks out that network. Browsers send {@code Origin} with every POST
     * (Fetch standard), and {@code Sec-Fetch-Site} (Fetch Metadata) if the address is HTTPS; other HTTP clients send
     * neither.
     */
    private static boolean isFromBrowser(HttpHeaders headers) {
        return headers.getHeaderString("Origin") != null || headers.getHeaderString("Sec-Fetch-Site") != null;
    }

    String token() {
        return form.getFirst(TOKEN);
    }

    /**
     * Whether Keycloak's form reader accepts this content type: the media type in lower case, optionally followed by
     * parameters such as a charset.
     *
     * @param contentType the header; null if there is none
     */
    static boolean isForm(String contentType) {
        return contentType != null
                && MediaType.APPLICATION_FORM_URLENCODED.equals(contentType.split(";", 2)[0]);
    }

    private void requireParameters(KeycloakSession session, HttpRequest request) throws CheckTokenException {
        for (String name : List.of(TOKEN, OAuth2Constants.CLIENT_ID, OAuth2Constants.CLIENT_SECRET)) {
            if (form.containsKey(name) && StringUtil.isBlank(form.getFirst(name))) {
                throw invalid("empty " + name);
            }
        }
        if (!form.containsKey(TOKEN)) {
            throw invalid("missing " + TOKEN);
        }
        if (!hasCredentials(session, request)) {
            throw invalid("missing client credentials");
        }
    }

    /** Whether the request has any credentials. Keycloak checks later whether they are right. */
    private boolean hasCredentials(KeycloakSession session, HttpRequest request) {
        return request.getHttpHeaders().getHeaderString(HttpHeaders.AUTHORIZATION) != null
                || StringUtil.isNotBlank(form.getFirst(OAuth2Constants.CLIENT_ASSERTION))
                || form.containsKey(OAuth2Constants.CLIENT_ID)
                        && (form.containsKey(OAuth2Constants.CLIENT_SECRET) || ClientCertificates.isPresent(session));
    }

    private static CheckTokenException invalid(String reason) {
        return new CheckTokenException(CheckTokenError.INVALID_REQUEST, reason);
    }
}
