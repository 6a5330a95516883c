package io.github.checktoken.introspection.secretguess;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.SourceAddressClient;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The names under which a database that is blind to case, and perhaps to accents, finds a data provider. */
public final class SpellingsOfAClient {

    /** How many different wrong secrets start the lock. */
    private static final int MOST = 30;

    private final DataProviderClient dataProvider;
    private final List<String> spellings = new ArrayList<>();

    private SpellingsOfAClient(DataProviderClient dataProvider) {
        this.dataProvider = dataProvider;
        Set<String> cases = new HashSet<>();
        for (int pattern = 0; cases.size() < MOST; pattern++) {
            StringBuilder spelling = new StringBuilder();
            int letters = 0;
            for (char c : dataProvider.clientId().toCharArray()) {
                boolean upper = Character.isLetter(c) && (pattern >> letters++ & 1) == 1;
                spelling.append(upper ? Character.toUpperCase(c) : c);
            }
            cases.add(spelling.toString());
        }
        spellings.addAll(cases);
    }

    /** Other letters are in upper case in each. */
    public static SpellingsOfAClient ofCase(DataProviderClient dataProvider) {
        return new SpellingsOfAClient(dataProvider);
    }

    /** One of three has an accent, and another one ends with a space, which such databases ignore too. */
    public static SpellingsOfAClient ofCaseAndAccents(DataProviderClient dataProvider) {
        SpellingsOfAClient all = new SpellingsOfAClient(dataProvider);
        for (int i = 0; i < MOST; i++) {
            String spelling = all.spellings.get(i);
            all.spellings.set(
                    i,
                    switch (i % 3) {
                        case 0 -> spelling;
                        case 1 -> spelling + " ";
                        default -> accented(spelling);
                    });
        }
        return all;
    }

    private static String accented(String spelling) {
        return spelling.replace('a', 'á').replace('A', 'Á').replace('d', 'ď').replace('D', 'Ď');
    }

    /** Every spelling is found: the right secret is accepted. */
    public void assertAllAreTheClient() {
        try (SourceAddressClient caller = new SourceAddressClient("127.0.10.3", 1)) {
            for (String spelling : spellings) {
                assertEquals(200, post(caller, spelling, dataProvider.secret()), spelling);
            }
        }
    }

    /** Wrong secrets count together, and lock the client at the same number as with one spelling. */
    public void assertAllShareOneCount() {
        String last = spellings.get(MOST - 1);
        try (SourceAddressClient stranger = new SourceAddressClient("127.0.10.1", 1);
                SourceAddressClient elsewhere = new SourceAddressClient("127.0.10.2", 1)) {
            for (String spelling : spellings.subList(0, MOST - 1)) {
                assertEquals(401, post(stranger, spelling, "wrong for " + spelling));
            }
            assertEquals(200, post(stranger, last, dataProvider.secret()));
            assertEquals(401, post(stranger, last, "wrong for " + last));
            assertEquals(401, post(stranger, dataProvider.clientId(), dataProvider.secret()));
            assertEquals(200, post(elsewhere, dataProvider.clientId().toUpperCase(Locale.ROOT), dataProvider.secret()));
        }
    }

    private int post(SourceAddressClient caller, String clientId, String secret) {
        Map<String, String> form = Map.of("client_id", clientId, "client_secret", secret, "token", "any-token");
        return caller.post(dataProvider.url(), form, null).status();
    }
}
