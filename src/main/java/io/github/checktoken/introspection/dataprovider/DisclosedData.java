package io.github.checktoken.introspection.dataprovider;

import java.util.Map;

/**
 * What one data provider learns from one active token.
 *
 * @param subject the user's identifier, which is specific to this data provider; ASCII, never the user id; null if it
 *     learns nothing about the user
 * @param scope the token's scopes that are registered for the data provider, in the token's order, separated by single
 *     spaces; the empty string if there are none
 * @param identity identity claims by name, without protocol members and without empty values
 */
public record DisclosedData(String subject, String scope, Map<String, Object> identity) {

    static final DisclosedData NOTHING = new DisclosedData(null, "", Map.of());
}
