package io.github.checktoken.support.flow;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.realm.AdminApi;

/** A browser flow with two levels: a password for the first, a one-time password for the second. */
public final class StepUpFlow {

    private static final String FLOWS = "/authentication/flows/";
    private static final String TOP = "step-up";

    private final AdminApi admin;
    private final String id;

    public StepUpFlow(AdminApi admin) {
        this.admin = admin;
        this.id = admin.create(
                FLOWS, Map.of("alias", TOP, "providerId", "basic-flow", "topLevel", true, "builtIn", false));
        execution(TOP, "auth-cookie", "ALTERNATIVE");
        flow(TOP, "step-up-forms", "ALTERNATIVE");
        level(1, "auth-username-password-form");
        level(2, "auth-otp-form");
    }

    public String id() {
        return id;
    }

    public void delete() {
        admin.delete(FLOWS + id);
    }

    private void level(int level, String authenticator) {
        String alias = "step-up-" + level;
        flow("step-up-forms", alias, "CONDITIONAL");
        String condition = execution(alias, "conditional-level-of-authentication", "REQUIRED");
        admin.create(
                "/authentication/executions/" + condition + "/config",
                Map.of(
                        "alias",
                        alias,
                        "config",
                        Map.of("loa-condition-level", String.valueOf(level), "loa-max-age", "36000")));
        execution(alias, authenticator, "REQUIRED");
    }

    private void flow(String parent, String alias, String requirement) {
        String flow = admin.create(
                FLOWS + parent + "/executions/flow",
                Map.of("alias", alias, "type", "basic-flow", "provider", "registration-page-form", "description", ""));
        require("flowId", flow, requirement);
    }

    private String execution(String parent, String authenticator, String requirement) {
        String execution = admin.create(FLOWS + parent + "/executions/execution", Map.of("provider", authenticator));
        require("id", execution, requirement);
        return execution;
    }

    private void require(String field, String value, String requirement) {
        for (JsonNode execution : admin.get(FLOWS + TOP + "/executions")) {
            if (value.equals(execution.path(field).asText())) {
                admin.put(FLOWS + TOP + "/executions", ((ObjectNode) execution).put("requirement", requirement));
            }
        }
    }
}
