package io.github.checktoken.walk.oracle;

/** What must succeed, because Keycloak grants it to an honest person or service without this project. */
public enum Grant {

    /** A request with {@code prompt=none} never shows a page (OpenID Connect Core section 3.1.2.6). */
    SILENT_REQUEST_IS_REDIRECTED,

    /** A request with {@code prompt=none} of a browser with the cookie of a session that lives gets a code. */
    LIVE_SESSION_GETS_A_CODE,

    /** A code is redeemed at once, if its session lives. */
    CODE_IS_REDEEMED,

    /** The newest form with the right secret leads to the client, or to a page from which the person can go on. */
    RIGHT_FORM_GOES_ON,

    /** The token endpoint and its like answer in JSON, without a failure of the server (RFC 6749 section 5.2). */
    SERVICE_GETS_JSON,

    /** A sign-out of a client that names the session is not put off. */
    SIGN_OUT_IS_ANSWERED
}
