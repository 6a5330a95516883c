package io.github.checktoken.introspection.secretguess;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.common.ClientConnection;

/**
 * The network that a call comes from: the IPv4 address, or the first 64 bits of the IPv6 address, because a caller with
 * one of these addresses has them all (RFC 6177). Behind some IPv6 prefixes are IPv4 hosts that have nothing to do with
 * each other:
 *
 * <ul>
 *   <li>A NAT64 translator puts the IPv4 address into the IPv6 address (RFC 6052), so that one is counted.
 *   <li>For Teredo (RFC 4380), and for the prefix that networks use as they like (RFC 8215), the whole IPv6 address is
 *       counted.
 * </ul>
 *
 * With {@code --proxy-headers}, Keycloak takes the address from the proxy.
 */
final class CallerNetwork {

    private static final Ipv6Prefix NAT64 = Ipv6Prefix.of("64:ff9b::/96");
    private static final List<Ipv6Prefix> WHOLE = List.of(Ipv6Prefix.of("2001::/32"), Ipv6Prefix.of("64:ff9b:1::/48"));
    private static final int PREFIX_BYTES = 8;

    private CallerNetwork() {}

    /**
     * @param nat64Prefixes prefixes of further NAT64 translators
     * @return never null; if the caller has no IP address, the name that the proxy gives, which callers may share
     */
    static String of(ClientConnection connection, List<Ipv6Prefix> nat64Prefixes) {
        String address = connection.getRemoteAddr();
        if (address == null) {
            // A proxy can send any name instead of an address, such as unknown (RFC 7239 section 6).
            return String.valueOf(connection.getRemoteHost());
        }
        try {
            // This is an address and not a host name, so there is no DNS lookup.
            InetAddress parsed = InetAddress.getByName(address);
            return parsed instanceof Inet6Address ipv6 ? of(ipv6, nat64Prefixes) : parsed.getHostAddress();
        } catch (UnknownHostException e) {
            return address;
        }
    }

    private static String of(Inet6Address address, List<Ipv6Prefix> nat64Prefixes) throws UnknownHostException {
        Optional<Ipv6Prefix> nat64 = Stream.concat(nat64Prefixes.stream(), Stream.of(NAT64))
                .filter(prefix -> prefix.contains(address))
                .findFirst();
        if (nat64.isPresent()) {
            return nat64.get().ipv4In(address).getHostAddress();
        }
        if (WHOLE.stream().anyMatch(prefix -> prefix.contains(address))) {
            return address.getHostAddress();
        }
        byte[] prefix = Arrays.copyOf(Arrays.copyOf(address.getAddress(), PREFIX_BYTES), address.getAddress().length);
        return InetAddress.getByAddress(prefix).getHostAddress() + "/64";
    }
}
