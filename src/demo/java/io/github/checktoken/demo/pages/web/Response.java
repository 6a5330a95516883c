package io.github.checktoken.demo.pages.web;

import java.nio.charset.StandardCharsets;

/**
 * What a browser gets.
 *
 * @param location where to go next; null if this is a page
 */
public record Response(int status, String contentType, String body, String location) {

    public static Response page(int status, String html) {
        return new Response(status, "text/html; charset=utf-8", html, null);
    }

    public static Response styleSheet(String css) {
        return new Response(200, "text/css; charset=utf-8", css, null);
    }

    public static Response icon(String svg) {
        return new Response(200, "image/svg+xml; charset=utf-8", svg, null);
    }

    public static Response text(int status, String text) {
        return new Response(status, "text/plain; charset=utf-8", text, null);
    }

    /** Sends the browser to another address, which it requests with GET. */
    public static Response seeOther(String location) {
        return new Response(303, "text/plain; charset=utf-8", "", location);
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
