package io.github.checktoken.introspection.admin;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.introspection.dataprovider.DataProviderMapper;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Which clients a page of the administrators' view reads. Every second of these clients is a data provider. */
class DataProvidersResourceTest {

    private final AtomicInteger read = new AtomicInteger();

    @Test
    void pageReadsNoClientAfterItsLastDataProvider() {
        assertEquals(List.of("2", "4"), page(1, 2));
        assertEquals(5, read.get());
    }

    @Test
    void pageHasAtMostTwoHundredDataProviders() {
        assertEquals(200, page(0, Integer.MAX_VALUE).size());
        assertEquals(399, read.get());
    }

    @Test
    void negativeNumbersCountAsZero() {
        assertEquals(List.of("0"), page(-1, 1));
        assertEquals(List.of(), page(0, -1));
    }

    private List<String> page(int first, int max) {
        return DataProvidersResource.page(IntStream.range(0, 1000).mapToObj(this::client), first, max).stream()
                .map(dataProvider -> dataProvider.client().getClientId())
                .toList();
    }

    private ClientModel client(int number) {
        return (ClientModel) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ClientModel.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getClientId" -> String.valueOf(number);
                    case "getProtocolMappersStream" -> {
                        read.incrementAndGet();
                        yield number % 2 == 0 ? Stream.of(dataProviderMapper()) : Stream.empty();
                    }
                    case "getClientScopes" -> Map.of();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static ProtocolMapperModel dataProviderMapper() {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setName("Data provider");
        mapper.setProtocolMapper(DataProviderMapper.PROVIDER_ID);
        return mapper;
    }
}
