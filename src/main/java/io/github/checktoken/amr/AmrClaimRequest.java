package io.github.checktoken.amr;

import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import org.jboss.logging.Logger;

/** Whether a request asks for {@code amr} in its ID token: OpenID Connect Core section 5.5. In rising order. */
enum AmrClaimRequest {
    /** Written as {@code NO} into the notes of logins in progress. */
    @JsonProperty("NO")
    NOT_REQUESTED,
    /** {@code "amr": null}, or an object in which {@code essential} is left out or false. */
    VOLUNTARY,
    ESSENTIAL;

    private static final Logger logger = Logger.getLogger(AmrClaimRequest.class);

    /** Keycloak's own class for the parameter throws on members that it does not know; a tree takes them all. */
    private static final ObjectReader CLAIMS = JsonSerialization.mapper
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    /** @param claims the {@code claims} parameter; may be null, and anything that a client sends */
    static AmrClaimRequest parse(String claims) {
        if (claims == null) {
            return NOT_REQUESTED;
        }
        try {
            return parse(CLAIMS.readTree(claims).path("id_token").path("amr"));
        } catch (JsonProcessingException e) {
            // Without the exception, which quotes what the client sent.
            logger.debug("amr: the claims parameter is not JSON; nothing is asked");
            return NOT_REQUESTED;
        }
    }

    private static AmrClaimRequest parse(JsonNode amr) {
        if (amr.isMissingNode()) {
            return NOT_REQUESTED;
        }
        JsonNode essential = amr.path("essential");
        if (amr.isNull() || amr.isObject() && (essential.isMissingNode() || isFalse(essential))) {
            return VOLUNTARY;
        }
        if (essential.isBoolean()) {
            return ESSENTIAL;
        }
        logger.debug("amr: the claims parameter asks in a form that OpenID Connect does not have; nothing is asked");
        return NOT_REQUESTED;
    }

    private static boolean isFalse(JsonNode node) {
        return node.isBoolean() && !node.booleanValue();
    }
}
