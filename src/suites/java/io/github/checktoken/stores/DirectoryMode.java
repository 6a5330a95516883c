package io.github.checktoken.stores;

import java.util.HashMap;
import java.util.Map;

import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.server.DirectoryServer;

/** How Keycloak can use a directory: whether it keeps a copy of each person, and whether it may change the entry. */
enum DirectoryMode {
    IMPORT_READ_ONLY(true, "READ_ONLY"),
    IMPORT_WRITABLE(true, "WRITABLE"),
    NO_IMPORT_READ_ONLY(false, "READ_ONLY"),
    NO_IMPORT_WRITABLE(false, "WRITABLE");

    private final boolean imports;
    private final String editMode;

    DirectoryMode(boolean imports, String editMode) {
        this.imports = imports;
        this.editMode = editMode;
    }

    boolean imports() {
        return imports;
    }

    LdapProvider of(DirectoryServer directory, AdminApi admin, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("importEnabled", "" + imports);
        all.put("editMode", editMode);
        return new LdapProvider(admin, directory, all);
    }
}
