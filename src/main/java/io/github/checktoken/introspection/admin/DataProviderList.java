package io.github.checktoken.introspection.admin;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Cuts a page out of the data providers of a realm. Without a filter, it reads only the clients of that page. A filter
 * has to read and examine each data provider, so it ends after a number of them.
 *
 * @param ids of all of their clients, in the order of the list
 * @param examine reads and examines some of them; leaves out a client that is no data provider any more
 */
record DataProviderList(List<String> ids, Function<List<String>, List<DataProviderStatus>> examine) {

    /** How many data providers one answer lists. */
    static final int MAX_PAGE = 200;

    /** How many data providers a filter examines. */
    static final int MAX_EXAMINED = 2000;

    /**
     * A part of the list.
     *
     * @param total how many data providers the list has in all
     * @param unexamined how many data providers are not in the list because the filter ended before
     */
    record Page(List<DataProviderStatus> statuses, int total, int unexamined) {}

    Page page(int first, int max) {
        return new Page(examine.apply(cut(ids, first, max)), ids.size(), 0);
    }

    Page page(int first, int max, Predicate<DataProviderStatus> filter) {
        List<String> examined = ids.subList(0, Math.min(ids.size(), MAX_EXAMINED));
        List<DataProviderStatus> found =
                examine.apply(examined).stream().filter(filter).toList();
        return new Page(cut(found, first, max), found.size(), ids.size() - examined.size());
    }

    private static <T> List<T> cut(List<T> all, int first, int max) {
        return all.stream()
                .skip(Math.max(0, first))
                .limit(Math.min(Math.max(0, max), MAX_PAGE))
                .toList();
    }
}
