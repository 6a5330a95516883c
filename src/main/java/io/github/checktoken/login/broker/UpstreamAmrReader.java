package io.github.checktoken.login.broker;

import java.util.Collection;
import java.util.List;

import org.keycloak.OAuth2Constants;
import org.keycloak.broker.oidc.OIDCIdentityProvider;
import org.keycloak.broker.provider.BrokeredIdentityContext;
import org.keycloak.models.IdentityProviderMapperModel;
import org.keycloak.representations.IDToken;
import org.keycloak.representations.JsonWebToken;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.evidence.AuthenticationMethodUse;
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.text.SingleLineText;
import org.jboss.logging.Logger;

/** Reads the methods and the level that an identity provider reported, as far as the mapper's settings accept them. */
final class UpstreamAmrReader {

    /** A login uses a few methods: RFC 8176 registers only twenty values, all of them short. */
    static final int MAX_VALUES = 16;

    /** In characters. */
    static final int MAX_VALUE_LENGTH = 64;

    private static final Logger logger = Logger.getLogger(UpstreamAmrReader.class);

    private final String providerAlias;
    private final AmrIdentityProviderConfig config;

    UpstreamAmrReader(String providerAlias, IdentityProviderMapperModel mapper) {
        this.providerAlias = SingleLineText.of(providerAlias);
        this.config = new AmrIdentityProviderConfig(mapper);
        for (String setting : config.invalidSettings()) {
            logger.warnf(
                    "amr: the setting %s of mapper %s of identity provider %s has invalid values, which are ignored",
                    setting, SingleLineText.of(mapper.getName()), this.providerAlias);
        }
    }

    /** @return the realm's level for the provider's {@code acr}; null if the settings give it none */
    Integer level(BrokeredIdentityContext context) {
        Object token = context.getContextData().get(OIDCIdentityProvider.VALIDATED_ID_TOKEN);
        Object acr =
                token instanceof JsonWebToken idToken ? idToken.getOtherClaims().get(IDToken.ACR) : null;
        return acr instanceof String value ? config.level(value) : null;
    }

    AuthenticationMethods read(BrokeredIdentityContext context) {
        Object token = context.getContextData().get(OIDCIdentityProvider.VALIDATED_ID_TOKEN);
        return token instanceof JsonWebToken idToken
                ? fromAmr(idToken.getOtherClaims().get(OAuth2Constants.AUTHENTICATOR_METHOD_REFERENCE))
                : toMethods(config.defaultMethods());
    }

    /**
     * @param amr the claim as the provider has sent it, so it may be of any type; null and an empty list mean that it
     *     sent none
     */
    AuthenticationMethods fromAmr(Object amr) {
        Collection<?> sent = amr == null ? List.of() : amr instanceof Collection<?> values ? values : List.of(amr);
        if (sent.isEmpty()) {
            return toMethods(config.defaultMethods());
        }
        List<String> readable = sent.stream()
                .filter(value -> value instanceof String text && text.length() <= MAX_VALUE_LENGTH)
                .map(String.class::cast)
                .limit(MAX_VALUES)
                .toList();
        if (readable.size() < sent.size()) {
            logger.warnf(
                    "amr: identity provider %s sent values that are not strings, values longer than %d characters, or"
                            + " more than %d values; these are ignored",
                    providerAlias, MAX_VALUE_LENGTH, MAX_VALUES);
        }
        return toMethods(config.accept(readable));
    }

    /**
     * Ignores {@code mfa} unless the provider is trusted for it. Two kinds of factor give {@code mfa} in any case,
     * because it is computed from them.
     */
    private AuthenticationMethods toMethods(Collection<String> values) {
        long now = CurrentTime.seconds();
        return new AuthenticationMethods(values.stream()
                .distinct()
                .filter(value -> !value.equals(AuthenticationMethods.MFA) || config.trustsMfa())
                .map(value -> new AuthenticationMethodUse(
                        value,
                        value.equals(AuthenticationMethods.MFA),
                        now,
                        AuthenticationMethodUse.AS_LONG_AS_THE_SESSION))
                .toList());
    }
}
