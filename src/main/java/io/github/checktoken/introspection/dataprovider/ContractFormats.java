package io.github.checktoken.introspection.dataprovider;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import static io.github.checktoken.introspection.dataprovider.OmissionCause.BIRTHCOUNTRY;
import static io.github.checktoken.introspection.dataprovider.OmissionCause.BIRTHDATE;
import static io.github.checktoken.introspection.dataprovider.OmissionCause.BIRTHPLACE;
import static io.github.checktoken.introspection.dataprovider.OmissionCause.BORN_ABROAD;
import static io.github.checktoken.introspection.dataprovider.OmissionCause.GENDER;
import static io.github.checktoken.introspection.dataprovider.OmissionCause.NO_LIST;
import static io.github.checktoken.introspection.dataprovider.OmissionCause.NO_TEXT;

/**
 * Removes the members of the service's contract whose values are not in its format. Keycloak checks attributes only when
 * a person or an administrator edits them: a provider, an import or a directory writes what it likes.
 */
final class ContractFormats {

    /** A realm's attribute: the members that may have other values, separated by commas. */
    static final String UNCHECKED = "checktoken.unchecked.members";

    private static final String FRANCE = "99100";

    private static final Pattern DATE = Pattern.compile(
            "[0-9]{4}-(?:(?:0[013578]|1[02])-(?:[0-2][0-9]|3[01])|(?:0[469]|11)-(?:[0-2][0-9]|30)|02-[0-2][0-9])");

    /** INSEE: the département and three digits. Corsica's was 20 until 1976, and 91 to 96 were in North Africa too. */
    private static final Pattern COMMUNE = Pattern.compile("(?:0[1-9]|[1-8][0-9]|9[0-8]|2[AB])[0-9]{3}");

    private static final Pattern COUNTRY = Pattern.compile("99[1-5][0-9]{2}");

    private ContractFormats() {}

    /**
     * @param claims without empty values
     * @param unchecked the value of {@link #UNCHECKED}; null if the realm has none
     * @return why members were removed from the map, by their names
     */
    static Map<String, OmissionCause> removeFrom(Map<String, Object> claims, String unchecked) {
        Map<String, OmissionCause> problems = problems(claims);
        if (unchecked != null) {
            problems.keySet().removeAll(Arrays.asList(unchecked.trim().split("[,\\s]+")));
        }
        claims.keySet().removeAll(problems.keySet());
        return problems;
    }

    /** @return by the name of the member */
    static Map<String, OmissionCause> problems(Map<String, Object> claims) {
        Map<String, OmissionCause> problems = new TreeMap<>();
        claims.forEach((name, value) -> {
            OmissionCause problem = problem(name, value, claims);
            if (problem != null) {
                problems.put(name, problem);
            }
        });
        return problems;
    }

    private static OmissionCause problem(String name, Object value, Map<String, Object> claims) {
        return switch (name) {
            case "family_name", "given_name" -> value instanceof String ? null : NO_TEXT;
            case GivenNamesMapper.CLAIM -> isListOfTexts(value) ? null : NO_LIST;
            case "gender" -> "male".equals(value) || "female".equals(value) ? null : GENDER;
            case "birthdate" -> matches(DATE, value) ? null : BIRTHDATE;
            case "birthcountry" -> matches(COUNTRY, value) ? null : BIRTHCOUNTRY;
            case "birthplace" ->
                !matches(COMMUNE, value) ? BIRTHPLACE : isAbroad(claims.get("birthcountry")) ? BORN_ABROAD : null;
            default -> null;
        };
    }

    private static boolean isListOfTexts(Object value) {
        return value instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
    }

    /** What is no country says nothing. */
    private static boolean isAbroad(Object country) {
        return !FRANCE.equals(country) && matches(COUNTRY, country);
    }

    private static boolean matches(Pattern pattern, Object value) {
        return value instanceof String text && pattern.matcher(text).matches();
    }
}
