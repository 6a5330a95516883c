package io.github.checktoken.login.amr;

import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import org.jboss.logging.Logger;

/** Whether a request asks for {@code amr} in the ID token (OpenID Connect Core section 5.5). */
enum AmrClaimRequest {
    /** Stored as {@code NO} in the notes of recorded logins. */
    @JsonProperty("NO")
    NOT_REQUESTED,
    /** {@code "amr": null}, or an object in which {@code essential} is left out or false. */
    VOLUNTARY,
    ESSENTIAL,

    /**
     * The codes of several logins cannot be told apart, and the logins differ. Versions that do not know this value read
     * the note as a login that they do not know.
     */
    AMBIGUOUS;

    private static final Logger logger = Logger.getLogger(AmrClaimRequest.class);

    /** Reads the parameter as a tree, because Keycloak's own class for it throws on unknown members. */
    private static final ObjectReader CLAIMS = JsonSerialization.mapper
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    /** @param claims the {@code claims} parameter as the client has sent it, so it may be malformed; may be null */
    static AmrClaimRequest parse(String claims) {
        if (claims == null) {
            return NOT_REQUESTED;
        }
        try {
            return parse(CLAIMS.readTree(claims).path("id_token").path("amr"));
        } catch (JsonProcessingException e) {
            // The exception is not logged, because it quotes what the client sent.
            logger.debug("amr: the claims parameter is not JSON, so it does not request amr");
            return NOT_REQUESTED;
        }
    }

    private static AmrClaimRequest parse(JsonNode amr) {
        if (amr.isMissingNode()) {
            return NOT_REQUESTED;
        }
        JsonNode essential = amr.path("essential");
        if (essential.isBoolean()) {
            return essential.booleanValue() ? ESSENTIAL : VOLUNTARY;
        }
        if (amr.isNull() || amr.isObject() && essential.isMissingNode()) {
            return VOLUNTARY;
        }
        logger.debug(
                "amr: the claims parameter mentions amr in a form that OpenID Connect does not define, so it does not"
                        + " request amr");
        return NOT_REQUESTED;
    }
}
