package io.github.checktoken.introspection.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.github.checktoken.introspection.admin.DataProviderStatus.Key;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Which clients a page of the administrators' view reads. Every tenth data provider has no salt. */
class DataProviderListTest {

    private final List<String> read = new ArrayList<>();

    @Test
    void pageReadsOnlyItsOwnDataProviders() {
        DataProviderList.Page page = list(1000).page(998, 10);
        assertEquals(List.of("998", "999"), ids(page));
        assertEquals(List.of("998", "999"), read);
        assertEquals(1000, page.total());
        assertEquals(0, page.unexamined());
    }

    @Test
    void pageHasAtMostTwoHundredDataProviders() {
        assertEquals(200, list(1000).page(0, Integer.MAX_VALUE).statuses().size());
        assertEquals(200, read.size());
    }

    @Test
    void negativeNumbersCountAsZero() {
        assertEquals(List.of("0"), ids(list(1000).page(-1, 1)));
        assertEquals(List.of(), ids(list(1000).page(0, -1)));
    }

    @Test
    void filterExaminesAllAndTotalCountsWhatItFinds() {
        DataProviderList.Page page = list(1000).page(1, 2, status -> status.has("noSalt"));
        assertEquals(List.of("10", "20"), ids(page));
        assertEquals(1000, read.size());
        assertEquals(100, page.total());
        assertEquals(0, page.unexamined());
    }

    @Test
    void filterExaminesTwoThousandAndSaysHowManyAreLeft() {
        DataProviderList.Page page = list(2345).page(199, 10, status -> status.has("any"));
        assertEquals(List.of("1990"), ids(page));
        assertEquals(2000, read.size());
        assertEquals(200, page.total());
        assertEquals(345, page.unexamined());
    }

    private DataProviderList list(int size) {
        return new DataProviderList(
                IntStream.range(0, size).mapToObj(String::valueOf).toList(), ids -> {
                    read.addAll(ids);
                    return ids.stream().map(DataProviderListTest::status).toList();
                });
    }

    private static DataProviderStatus status(String id) {
        List<String> names = id.endsWith("0") ? List.of("noSalt") : List.of();
        return new DataProviderStatus(
                id,
                null,
                true,
                List.of(),
                "",
                "",
                "",
                false,
                false,
                Key.NONE,
                null,
                new TreeMap<>(),
                new TreeMap<>(),
                names,
                List.of(),
                List.of());
    }

    private static List<String> ids(DataProviderList.Page page) {
        return page.statuses().stream().map(DataProviderStatus::clientId).toList();
    }
}
