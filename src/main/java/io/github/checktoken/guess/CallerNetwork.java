package io.github.checktoken.guess;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

import org.keycloak.common.ClientConnection;

/**
 * Where a call comes from, as Keycloak sees it: with {@code --proxy-headers}, what the proxy says. An IPv4 address, or the
 * first 64 bits of an IPv6 address, because whoever has one of these addresses has them all (RFC 6177).
 */
final class CallerNetwork {

    private static final int PREFIX_BYTES = 8;

    private CallerNetwork() {}

    /** @return never null; callers whose address is not known are one */
    static String of(ClientConnection connection) {
        String address = connection.getRemoteAddr();
        if (address == null) {
            // A proxy can name its caller by any word (RFC 7239 section 6).
            return String.valueOf(connection.getRemoteHost());
        }
        try {
            // An address and no name, so nothing is looked up.
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
