package io.github.checktoken.demo.pages.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The checks of one answer so far. A data provider stops at the first that fails. */
final class Checklist {

    private final List<Check> made = new ArrayList<>();

    /** @return whether the data provider goes on */
    boolean equal(Check.Name name, Object expected, Object found) {
        return holds(name, Objects.equals(expected, found), expected, found);
    }

    /** @return whether the data provider goes on */
    boolean holds(Check.Name name, boolean holds, Object expected, Object found) {
        made.add(new Check(
                name,
                String.valueOf(expected),
                found == null ? "-" : String.valueOf(found),
                holds ? Check.Result.PASSED : Check.Result.FAILED));
        return holds;
    }

    /** @return all checks from the first that was made, with those that were not reached */
    List<Check> all() {
        List<Check> all = new ArrayList<>(made);
        for (Check.Name name : Check.Name.values()) {
            if (!made.isEmpty() && name.compareTo(made.get(made.size() - 1).name()) > 0) {
                all.add(new Check(name, "", "", Check.Result.NOT_REACHED));
            }
        }
        return all;
    }
}
