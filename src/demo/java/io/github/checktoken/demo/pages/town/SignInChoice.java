package io.github.checktoken.demo.pages.town;

import java.util.List;

/**
 * What the town hall asks for.
 *
 * @param scopes the scopes besides {@code openid}
 * @param acr {@code acr_values}; empty to send none
 * @param amr whether to ask for {@code amr}
 */
public record SignInChoice(List<String> scopes, String acr, boolean amr) {

    /** The scopes that a visitor can choose: what the town hall wants to know itself. */
    public static final List<String> OWN_SCOPES =
            List.of("given_name", "family_name", "gender", "birthdate", "birthplace", "birthcountry");

    /** The scopes that a visitor can choose: what the data providers have. */
    public static final List<String> DATA_SCOPES = List.of("tax_income", "tax_household", "health_rights");

    public static final List<String> LEVELS = List.of("eidas1", "eidas2", "");

    /** What is ticked at first. */
    public static final SignInChoice FIRST = new SignInChoice(
            List.of("given_name", "family_name", "birthdate", "tax_income", "tax_household", "health_rights"),
            "eidas1",
            true);

    /** @return the choice without anything that the page does not offer */
    public static SignInChoice of(List<String> scopes, String acr, boolean amr) {
        return new SignInChoice(
                scopes.stream()
                        .filter(scope -> OWN_SCOPES.contains(scope) || DATA_SCOPES.contains(scope))
                        .toList(),
                LEVELS.contains(acr) ? acr : "",
                amr);
    }
}
