package io.github.checktoken.introspection.secretguess;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;

/**
 * A range of IPv6 addresses, with a length that RFC 6052 allows for translated IPv4 addresses.
 *
 * @param bits the first bits, which all of its addresses share
 * @param length how many bits these are
 */
record Ipv6Prefix(BigInteger bits, int length) {

    private static final Set<String> LENGTHS = Set.of("32", "40", "48", "56", "64", "96");
    /** Bits 64 to 71 of a translated address are zero and not part of the IPv4 address. */
    private static final int UNUSED_BYTE = 8;

    /**
     * @param text such as {@code 2001:db8:64::/96}
     * @throws IllegalArgumentException if it is anything else
     */
    static Ipv6Prefix of(String text) {
        String[] parts = text.split("/", 2);
        try {
            // Without a colon it might be a host name, for which there would be a DNS lookup.
            if (parts.length == 2
                    && LENGTHS.contains(parts[1])
                    && parts[0].contains(":")
                    && InetAddress.getByName(parts[0]) instanceof Inet6Address address) {
                int length = Integer.parseInt(parts[1]);
                return new Ipv6Prefix(firstBits(address, length), length);
            }
        } catch (UnknownHostException e) {
            // Its message says no more than ours.
        }
        throw new IllegalArgumentException("not an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits: " + text);
    }

    boolean contains(Inet6Address address) {
        return firstBits(address, length).equals(bits);
    }

    /** @return the IPv4 address that follows the prefix (RFC 6052 section 2.2) */
    InetAddress ipv4In(Inet6Address address) throws UnknownHostException {
        byte[] ipv4 = new byte[4];
        int next = length / Byte.SIZE;
        for (int i = 0; i < ipv4.length; i++) {
            next += next == UNUSED_BYTE ? 1 : 0;
            ipv4[i] = address.getAddress()[next++];
        }
        return Inet4Address.getByAddress(ipv4);
    }

    private static BigInteger firstBits(Inet6Address address, int length) {
        byte[] bytes = address.getAddress();
        return new BigInteger(1, bytes).shiftRight(bytes.length * Byte.SIZE - length);
    }
}
