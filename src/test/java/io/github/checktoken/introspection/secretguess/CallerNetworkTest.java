package io.github.checktoken.introspection.secretguess;

import java.util.List;

import org.keycloak.common.ClientConnection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class CallerNetworkTest {

    @Test
    void eachIpv4AddressIsOneOfItsOwn() {
        assertEquals("192.0.2.1", network("192.0.2.1"));
        assertNotEquals(network("192.0.2.1"), network("192.0.2.2"));
    }

    @Test
    void ipv6AddressesOfOneSubnetAreOne() {
        assertEquals("2001:db8:0:7:0:0:0:0/64", network("2001:db8:0:7::1"));
        assertEquals(network("2001:db8:0:7::1"), network("2001:db8:0:7:ffff:ffff:ffff:ffff"));
        assertNotEquals(network("2001:db8:0:7::1"), network("2001:db8:0:8::1"));
    }

    @Test
    void ipv4AddressWrittenAsIpv6IsTheSame() {
        assertEquals(network("192.0.2.1"), network("::ffff:192.0.2.1"));
    }

    @Test
    void behindATranslatorTheIpv4AddressCounts() {
        assertEquals("192.0.2.1", network("64:ff9b::192.0.2.1"));
        assertNotEquals(network("64:ff9b::192.0.2.1"), network("64:ff9b::192.0.2.2"));
    }

    /** The examples of RFC 6052 section 2.4. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8::/32, 2001:db8:c000:221::",
        "2001:db8:100::/40, 2001:db8:1c0:2:21::",
        "2001:db8:122::/48, 2001:db8:122:c000:2:2100::",
        "2001:db8:122:300::/56, 2001:db8:122:3c0:0:221::",
        "2001:db8:122:344::/64, 2001:db8:122:344:c0:2:2100::",
        "2001:db8:122:344::/96, 2001:db8:122:344::192.0.2.33"
    })
    void behindTheOperatorsOwnTranslatorToo(String prefix, String address) {
        List<Ipv6Prefix> own = List.of(Ipv6Prefix.of("2001:db9::/96"), Ipv6Prefix.of(prefix));
        assertEquals("192.0.2.33", CallerNetwork.of(connection(address, address), own));
        assertEquals(network("2001:dba::1"), CallerNetwork.of(connection("2001:dba::1", ""), own));
    }

    @ParameterizedTest
    @CsvSource({
        "2001:0:1234:5678:0:1:3fff:fdfe, 2001:0:1234:5678:0:1:3fff:fdfd",
        "64:ff9b:1::192.0.2.1, 64:ff9b:1::192.0.2.2"
    })
    void eachTeredoOrLocallyTranslatedAddressIsOneOfItsOwn(String one, String another) {
        assertNotEquals(network(one), network(another));
    }

    @Test
    void aProxysWordForItsCallerCountsAsItIs() {
        assertEquals("_hidden", CallerNetwork.of(connection(null, "_hidden"), List.of()));
    }

    @Test
    void callersWithoutAnAddressAreOne() {
        assertEquals(network(null), network(null));
    }

    private static String network(String address) {
        return CallerNetwork.of(connection(address, address), List.of());
    }

    private static ClientConnection connection(String address, String host) {
        return new ClientConnection() {
            @Override
            public String getRemoteAddr() {
                return address;
            }

            @Override
            public String getRemoteHost() {
                return host;
            }
        };
    }
}
