package io.github.checktoken.login.amr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.realm.AdminApi;

/** The demo realm's requested-amr mapper. A test can change it and restore it. */
public final class DemoAmrMapper {

    private final AdminApi admin;
    private final String path;
    private final ObjectNode original;
    private final ObjectNode changed;

    public DemoAmrMapper(AdminApi admin) {
        this.admin = admin;
        String mappers = "/client-scopes/" + admin.clientScope("amr") + "/protocol-mappers/models";
        JsonNode mapper = admin.get(mappers).get(0);
        this.path = mappers + "/" + mapper.get("id").asText();
        this.original = (ObjectNode) mapper;
        this.changed = original.deepCopy();
    }

    String path() {
        return path;
    }

    ObjectNode original() {
        return original;
    }

    /** Changes this setting as well and saves the mapper. */
    public DemoAmrMapper with(String setting, String value) {
        ((ObjectNode) changed.get("config")).put(setting, value);
        admin.put(path, changed);
        return this;
    }

    public void restore() {
        admin.put(path, original);
    }
}
