package io.github.checktoken.introspection.endpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import io.github.checktoken.support.client.Http;

/**
 * {@code docs/openapi.yaml}, which lets clients ignore what they do not know. Here it is stricter: an object has no other
 * members than those of its schema, and an error is one of the response's examples. Bodies are checked against schemas of
 * its components only, because a JSON Pointer to another schema would contain a path with braces.
 */
final class OpenApiDocument {

    private static final Path FILE = Path.of("docs", "openapi.yaml");

    /** Where the validator finds the document; nothing is loaded from there. */
    private static final String ADDRESS = "https://openapi.invalid/openapi.yaml";

    private final JsonNode document;
    private final SchemaRegistry schemas;

    OpenApiDocument() {
        try {
            document = new YAMLMapper().readTree(FILE.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonNode strict = document.deepCopy();
        strict.path("components").findParents("properties").forEach(OpenApiDocument::close);
        schemas = SchemaRegistry.withDialect(
                Dialects.getOpenApi31(),
                registry -> registry.schemas(Map.of(ADDRESS, strict.toString()))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build()));
    }

    /** Lets a schema reject other members, unless it says which there may be. */
    private static void close(JsonNode schema) {
        if (schema.path("type").asText().equals("object")
                && !schema.has("propertyNames")
                && !schema.has("additionalProperties")) {
            ((ObjectNode) schema).put("additionalProperties", false);
        }
    }

    JsonNode root() {
        return document;
    }

    /** @return each response that the document describes, for example {@code POST /realms/{realm}/checktoken 400} */
    Set<String> responses() {
        Set<String> responses = new TreeSet<>();
        document.path("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> operation
                        .path("responses")
                        .forEachEntry((status, response) ->
                                responses.add(method.toUpperCase(Locale.ROOT) + " " + path + " " + status))));
        return responses;
    }

    /** @return the names of the properties of a schema in the components */
    Set<String> properties(String schema) {
        Set<String> names = new TreeSet<>();
        document.at("/components/schemas/" + schema + "/properties")
                .fieldNames()
                .forEachRemaining(names::add);
        return names;
    }

    /**
     * Compares a response with the document: the content type, the headers and a JSON body.
     *
     * @param operation the method and the path as in the document, separated by a space
     * @return what differs; empty if nothing does
     */
    List<String> problems(String operation, HttpResponse<String> response) {
        String[] parts = operation.split(" ", 2);
        JsonNode described = resolve(document.path("paths")
                .path(parts[1])
                .path(parts[0].toLowerCase(Locale.ROOT))
                .path("responses")
                .path(Integer.toString(response.statusCode())));
        List<String> problems = new ArrayList<>();
        described.path("headers").forEachEntry((name, header) -> problems.addAll(problems(name, header, response)));
        String type = response.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
        JsonNode content = described.path("content").path(type);
        if (content.isMissingNode()) {
            problems.add("status " + response.statusCode() + " with the content type " + type);
        } else {
            JsonNode body = type.endsWith("json") ? Http.json(response.body()) : TextNode.valueOf(response.body());
            problems.addAll(problems(body, content.path("schema").path("$ref").asText()));
            if (content.has("examples")
                    && content.path("examples").findValues("value").stream().noneMatch(body::equals)) {
                problems.add("error that is not among the examples: " + body);
            }
        }
        return problems;
    }

    private List<String> problems(String name, JsonNode header, HttpResponse<String> response) {
        List<String> values = response.headers().allValues(name);
        JsonNode described = resolve(header);
        if (values.isEmpty()) {
            return described.path("required").asBoolean() ? List.of("no header " + name) : List.of();
        }
        JsonNode value = described.at("/schema/type").asText().equals("integer")
                ? Http.json(values.get(0))
                : TextNode.valueOf(String.join(", ", values));
        return problems(value, header.path("$ref").asText() + "/schema");
    }

    /**
     * Compares a value with a schema.
     *
     * @param reference the place of the schema, for example {@code #/components/schemas/Error}
     * @return what differs; empty if nothing does
     */
    List<String> problems(JsonNode value, String reference) {
        if (!reference.startsWith("#/components/")) {
            throw new IllegalArgumentException("Not a reference to a component: " + reference);
        }
        return schemas.getSchema(SchemaLocation.of(ADDRESS + reference)).validate(value).stream()
                .map(Error::toString)
                .toList();
    }

    /** @return the node itself, or what its reference points to */
    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }
}
