package io.github.checktoken.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import io.github.checktoken.demo.pages.DemoPages;

/** The ports that the person at the terminal has given: {@code -Ddemo.port} and {@code -Ddemo.keycloak.port}. */
final class DemoPorts {

    private static final String PAGES = "demo.port";
    private static final String KEYCLOAK = "demo.keycloak.port";
    private static final int HIGHEST = 65_535;

    /** @return the port of Keycloak; 0 for any free port */
    int keycloak() {
        return given(KEYCLOAK);
    }

    /** @return the port of the pages: the usual one if none is given, and 0 for any free port if that is in use */
    int pages() {
        int given = given(PAGES);
        if (given != 0) {
            return given;
        }
        return isFree(DemoPages.USUAL_PORT) ? DemoPages.USUAL_PORT : 0;
    }

    private static int given(String property) {
        String text = System.getProperty(property);
        if (text == null) {
            return 0;
        }
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) == 0 || Integer.parseInt(text) > HIGHEST) {
            throw new DemoFailed("-D%s=%s is no port. Give a number from 1 to %d.".formatted(property, text, HIGHEST));
        }
        int port = Integer.parseInt(text);
        if (!isFree(port)) {
            throw new DemoFailed(
                    "Port %d is in use, or you may not use it. Stop the program that uses it, or give another port: -D%s=..."
                            .formatted(port, property));
        }
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
