package io.github.checktoken.secretguess;

import org.keycloak.common.ClientConnection;

import org.junit.jupiter.api.Test;

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
    void aProxysWordForItsCallerCountsAsItIs() {
        assertEquals("_hidden", CallerNetwork.of(connection(null, "_hidden")));
    }

    @Test
    void callersWithoutAnAddressAreOne() {
        assertEquals(CallerNetwork.of(connection(null, null)), CallerNetwork.of(connection(null, null)));
    }

    private static String network(String address) {
        return CallerNetwork.of(connection(address, address));
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
