package io.github.checktoken.secretguess;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

import org.keycloak.common.ClientConnection;

/**
 * The network that a call comes from: the IPv4 address, or the first 64 bits of the IPv6 address, because a caller with
 * one of these addresses has them all (RFC 6177). With {@code --proxy-headers}, Keycloak takes the address from the
 * proxy.
 */
final class CallerNetwork {

    private static final int PREFIX_BYTES = 8;

    private CallerNetwork() {}

    /** @return never null; if the caller has no IP address, the name that the proxy gives, which callers may share */
    static String of(ClientConnection connection) {
        String address = connection.getRemoteAddr();
        if (address == null) {
            // A proxy can send any name instead of an address, such as unknown (RFC 7239 section 6).
            return String.valueOf(connection.getRemoteHost());
        }
        try {
            // This is an address and not a host name, so there is no DNS lookup.
            InetAddress parsed = InetAddress.getByName(address);
            return parsed instanceof Inet6Address ? prefix(parsed) : parsed.getHostAddress();
        } catch (UnknownHostException e) {
            return address;
        }
    }

    private static String prefix(InetAddress address) throws UnknownHostException {
        byte[] prefix = Arrays.copyOf(Arrays.copyOf(address.getAddress(), PREFIX_BYTES), address.getAddress().length);
        return InetAddress.getByAddress(prefix).getHostAddress() + "/64";
    }
}
