package io.github.checktoken.introspection.dataprovider;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ContractFormatsTest {

    @ParameterizedTest
    @CsvSource({
        "gender, unspecified, GENDER",
        "gender, Male, GENDER",
        "gender, 'male ', GENDER",
        "birthdate, 14/03/1988, BIRTHDATE",
        "birthdate, 1988-3-14, BIRTHDATE",
        "birthdate, 1988-13-01, BIRTHDATE",
        "birthdate, 1988-02-30, BIRTHDATE",
        "birthdate, 1988-03-14T00:00:00Z, BIRTHDATE",
        "birthplace, Alger, BIRTHPLACE",
        "birthplace, 2C004, BIRTHPLACE",
        "birthplace, 2a004, BIRTHPLACE",
        "birthplace, 7510, BIRTHPLACE",
        "birthplace, 00001, BIRTHPLACE",
        "birthplace, 99352, BIRTHPLACE",
        "birthcountry, France, BIRTHCOUNTRY",
        "birthcountry, FR, BIRTHCOUNTRY",
        "birthcountry, 75107, BIRTHCOUNTRY",
        "birthcountry, '99100 ', BIRTHCOUNTRY"
    })
    void valueInAnotherFormatIsAProblem(String member, String value, OmissionCause problem) {
        assertEquals(Map.of(member, problem), ContractFormats.problems(Map.of(member, value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1988-03-14", "1988-00-00", "1988-11-00", "2000-02-29", "1988-00-31"})
    void dateCanHaveAnUnknownMonthOrDay(String date) {
        assertEquals(Map.of(), ContractFormats.problems(Map.of("birthdate", date)));
    }

    @Test
    void valueOfAnotherTypeIsAProblem() {
        assertEquals(
                Map.of(
                        "gender", OmissionCause.GENDER,
                        "birthdate", OmissionCause.BIRTHDATE,
                        "family_name", OmissionCause.NO_TEXT,
                        "given_name", OmissionCause.NO_TEXT,
                        "given_name_array", OmissionCause.NO_LIST),
                ContractFormats.problems(Map.of(
                        "gender", List.of("male"),
                        "birthdate", 19880314,
                        "family_name", List.of("Moreau", "Martin"),
                        "given_name", Map.of("first", "Camille"),
                        "given_name_array", "Camille Louise")));
        assertEquals(
                Map.of("given_name_array", OmissionCause.NO_LIST),
                ContractFormats.problems(Map.of("given_name_array", List.of("Camille", 2))));
    }

    @Test
    void memberWithoutAFormatPasses() {
        assertEquals(
                Map.of(),
                ContractFormats.problems(Map.of(
                        "family_name",
                        "O'N-ÉÈ Æ",
                        "given_name_array",
                        List.of("Anne-Laure"),
                        "email",
                        12,
                        "company",
                        Map.of("gender", "unspecified"))));
    }

    /** INSEE's numbers: France with Corsica, as it was and as it is, and overseas. */
    @Test
    void birthplaceIsACommuneOfADepartementThatIsOrWas() {
        Stream.of(IntStream.rangeClosed(1, 95).mapToObj("%02d"::formatted), Stream.of("2A", "2B", "96", "97", "98"))
                .flatMap(departements -> departements)
                .flatMap(departement -> Stream.of("001", "416", "990").map(departement::concat))
                .forEach(code -> assertEquals(
                        Map.of(), ContractFormats.problems(Map.of("birthplace", code, "birthcountry", "99100")), code));
    }

    /** INSEE's numbers: Europe is 991, Asia 992, Africa 993, America 994, Oceania 995. */
    @Test
    void birthcountryIsInAContinent() {
        IntStream.rangeClosed(0, 999).forEach(number -> {
            boolean known = number >= 100 && number < 600;
            String code = "99%03d".formatted(number);
            Map<String, OmissionCause> expected = known ? Map.of() : Map.of("birthcountry", OmissionCause.BIRTHCOUNTRY);
            assertEquals(expected, ContractFormats.problems(Map.of("birthcountry", code)), code);
        });
    }

    @Test
    void communeIsAProblemIfTheBirthcountryIsAnother() {
        assertEquals(
                Map.of("birthplace", OmissionCause.BORN_ABROAD),
                ContractFormats.problems(Map.of("birthplace", "75107", "birthcountry", "99352")));
        assertEquals(Map.of(), ContractFormats.problems(Map.of("birthplace", "75107")));
        assertEquals(Map.of(), ContractFormats.problems(Map.of("birthcountry", "99352")));
        // What is no country says nothing about the commune.
        assertEquals(
                Map.of("birthcountry", OmissionCause.BIRTHCOUNTRY),
                ContractFormats.problems(Map.of("birthplace", "75107", "birthcountry", "France")));
    }

    @Test
    void realmCanLetOtherValuesOfAMemberLeave() {
        Map<String, Object> claims = new HashMap<>(Map.of("gender", "x", "birthplace", "Alger", "birthdate", "1988"));
        Map<String, OmissionCause> removed = ContractFormats.removeFrom(claims, "gender, birthplace");
        assertEquals(Map.of("birthdate", OmissionCause.BIRTHDATE), removed);
        assertEquals(Map.of("gender", "x", "birthplace", "Alger"), claims);
        assertEquals(2, ContractFormats.removeFrom(claims, null).size());
        assertEquals(Map.of(), claims);
    }
}
