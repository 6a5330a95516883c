package io.github.checktoken.testkit;

import java.util.List;
import java.util.Map;

import io.github.checktoken.testkit.TestKit.JSON;

/** One answer, right or wrong, as {@code cases.json} describes it. */
public final class TestCase {

    private final Map<String, Object> members;
    private final Map<String, Object> defaults;

    TestCase(Map<String, Object> members, Map<String, Object> defaults) {
        this.members = members;
        this.defaults = defaults;
    }

    public String name() {
        return text("name");
    }

    /** @return the access token that asks for this answer */
    public String token() {
        return text("token");
    }

    /** @return the only client for which this case means something, or null */
    public String client() {
        return text("client");
    }

    /** @return the case to call first, or null */
    public String before() {
        return text("before");
    }

    /** @return what a right answer says, or null */
    public Map<String, Object> expect() {
        return JSON.object(members.get("expect"));
    }

    /** @return why the answer is wrong, or null */
    public String reason() {
        return text("reason");
    }

    /** @return whether somebody who refuses the answer may give this reason */
    public boolean isReason(String reason) {
        return reason.equals(reason()) || members.get("or") instanceof List<?> others && others.contains(reason);
    }

    /** @return what the error has to show of the platform's, or null */
    public String says() {
        return text("says");
    }

    String mutation() {
        return members.containsKey("mutation") ? text("mutation") : "";
    }

    /** @return the member of the case, merged into that of the defaults */
    Object merged(String name) {
        return members.containsKey(name) ? JSON.merge(defaults.get(name), members.get(name)) : defaults.get(name);
    }

    /** @return the claims of the answer, with what {@link Values} fills in */
    Object claims(TestKit kit) {
        Map<String, Object> introspection = kit.introspection((String) merged("introspection"));
        Object claims = JSON.merge(defaults.get("claims"), Map.of("token_introspection", introspection));
        return members.containsKey("claims") ? JSON.merge(claims, members.get("claims")) : claims;
    }

    Map<String, Object> members() {
        return members;
    }

    private String text(String name) {
        return (String) members.get(name);
    }

    @Override
    public String toString() {
        return name();
    }
}
