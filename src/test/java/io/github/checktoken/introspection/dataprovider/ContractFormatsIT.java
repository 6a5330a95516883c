package io.github.checktoken.introspection.dataprovider;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Meters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests values that a provider, an import or a directory has written, which Keycloak's profile would refuse. */
@ExtendWith(KeycloakExtension.class)
class ContractFormatsIT {

    private static final Map<String, String> VALUES = Map.of(
            "gender",
            "unspecified",
            "birthdate",
            "14/03/1988",
            "birthplace",
            "Alger",
            "birthcountry",
            "DZ",
            "family_name",
            "Moreau");

    private static final Set<String> FORMATS = Set.of("gender", "birthdate", "birthplace", "birthcountry");

    private final Federation federation;
    private final AdminApi admin;

    ContractFormatsIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void valueInAnotherFormatIsLeftOutAndTheAdministratorReadsIt() throws IOException {
        DataProviderClient dataProvider = dataProvider(VALUES);
        Tokens tokens = federation.town().signIn("camille", "openid");

        for (int call = 0; call < 3; call++) {
            Map<String, Object> introspection = introspect(dataProvider, tokens);
            assertFalse(introspection.keySet().stream().anyMatch(FORMATS::contains), introspection::toString);
            assertEquals("Moreau", introspection.get("family_name"));
        }

        List<String> lines = Files.readAllLines(federation.server().log()).stream()
                .filter(line -> line.contains("Data provider '" + dataProvider.clientId() + "' gets answers without"))
                .toList();
        assertEquals(4, lines.size(), () -> lines.toString());
        assertTrue(lines.toString().contains("it is neither male nor female (mapper 'oidc-hardcoded"), lines::toString);
        for (String value : List.of("unspecified", "14/03/1988", "Alger", "DZ")) {
            assertFalse(lines.toString().contains(value), value);
        }
        String problems =
                admin.dataProvider(dataProvider.clientId()).get("problems").toString();
        assertTrue(problems.contains("the claim “birthplace” of a person: it is no code of a commune"), problems);
        String meter = "checktoken_claims_omitted_total{realm=\"" + federation.realm() + "\",reason=\"birthcountry\"";
        assertTrue(new Meters(federation.server()).sum(meter) >= 3);
    }

    @Test
    void communeLeavesOnlyForFrance() {
        DataProviderClient abroad = dataProvider(Map.of("birthplace", "75107", "birthcountry", "99352"));
        Map<String, Object> introspection = introspect(abroad, federation.town().signIn("camille", "openid"));
        assertEquals("99352", introspection.get("birthcountry"));
        assertFalse(introspection.containsKey("birthplace"));
    }

    @Test
    void realmCanLetOtherValuesLeave() {
        DataProviderClient dataProvider = dataProvider(VALUES);
        Tokens tokens = federation.town().signIn("camille", "openid");
        updateAttributes(attributes -> attributes.put(ContractFormats.UNCHECKED, "gender, birthplace"));
        try {
            Map<String, Object> introspection = introspect(dataProvider, tokens);
            assertEquals("unspecified", introspection.get("gender"));
            assertEquals("Alger", introspection.get("birthplace"));
            assertFalse(introspection.containsKey("birthdate"));
        } finally {
            updateAttributes(attributes -> attributes.remove(ContractFormats.UNCHECKED));
        }
        assertFalse(introspect(dataProvider, tokens).containsKey("gender"));
    }

    private DataProviderClient dataProvider(Map<String, String> values) {
        NewDataProvider dataProvider = federation.newDataProvider().defaultScopes();
        values.forEach((member, value) -> dataProvider.mapper("oidc-hardcoded-claim-mapper", hardcoded(member, value)));
        return dataProvider.create();
    }

    /** @param change of the realm's attributes */
    private void updateAttributes(Consumer<ObjectNode> change) {
        admin.update("", realm -> change.accept(realm.withObject("/attributes")));
    }

    private static Map<String, Object> introspect(DataProviderClient dataProvider, Tokens tokens) {
        return dataProvider.check(tokens.accessToken()).introspection();
    }

    private static Map<String, String> hardcoded(String claim, String value) {
        return Map.of(
                "claim.name",
                claim,
                "claim.value",
                value,
                "jsonType.label",
                "String",
                "introspection.token.claim",
                "true");
    }
}
