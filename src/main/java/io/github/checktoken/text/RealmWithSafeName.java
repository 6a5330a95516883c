package io.github.checktoken.text;

import org.keycloak.models.RealmModel;
import org.keycloak.models.utils.RealmModelDelegate;

/** A realm with a display name that is not blank, and safe wherever a theme writes it in an e-mail. */
public final class RealmWithSafeName extends RealmModelDelegate {

    private final String name;

    /** @param displayName the realm's, perhaps in a person's language; null or blank for the realm's name */
    public RealmWithSafeName(RealmModel realm, String displayName) {
        super(realm);
        String safe = SingleLineText.of(displayName);
        this.name = safe.isEmpty() ? SingleLineText.of(realm.getName()) : safe;
    }

    @Override
    public String getDisplayName() {
        return name;
    }
}
