package io.github.checktoken.broker;

import java.util.Collection;
import java.util.List;

import org.keycloak.OAuth2Constants;
import org.keycloak.broker.oidc.OIDCIdentityProvider;
import org.keycloak.broker.provider.BrokeredIdentityContext;
import org.keycloak.common.util.Time;
import org.keycloak.models.IdentityProviderMapperModel;
import org.keycloak.representations.JsonWebToken;

import io.github.checktoken.method.AuthenticationMethods;
import io.github.checktoken.method.MethodUse;
import org.jboss.logging.Logger;

/** How a person signed in at an identity provider, as far as its word is taken. */
final class UpstreamMethods {

    /** RFC 8176 registers twenty values, all of them short. */
    static final int MOST_VALUES = 16;

    /** In characters. */
    static final int LONGEST_VALUE = 64;

    private static final Logger logger = Logger.getLogger(UpstreamMethods.class);

    private final String providerAlias;
    private final AmrIdentityProviderConfig config;

    UpstreamMethods(String providerAlias, IdentityProviderMapperModel mapper) {
        this.providerAlias = providerAlias;
        this.config = new AmrIdentityProviderConfig(mapper);
        for (String setting : config.problems()) {
            logger.warnf(
                    "amr: the setting %s of mapper %s of identity provider %s holds what is not known; it is left out",
                    setting, mapper.getName(), providerAlias);
        }
    }

    AuthenticationMethods read(BrokeredIdentityContext context) {
        Object token = context.getContextData().get(OIDCIdentityProvider.VALIDATED_ID_TOKEN);
        return token instanceof JsonWebToken idToken
                ? in(idToken.getOtherClaims().get(OAuth2Constants.AUTHENTICATOR_METHOD_REFERENCE))
                : methods(config.whenNoneIsSent());
    }

    /** @param amr the claim, whatever the provider made of it; an empty list tells as little as none */
    AuthenticationMethods in(Object amr) {
        Collection<?> sent = amr == null ? List.of() : amr instanceof Collection<?> values ? values : List.of(amr);
        if (sent.isEmpty()) {
            return methods(config.whenNoneIsSent());
        }
        List<String> readable = sent.stream()
                .filter(UpstreamMethods::isReadable)
                .map(String.class::cast)
                .limit(MOST_VALUES)
                .toList();
        if (readable.size() < sent.size()) {
            logger.warnf(
                    "amr: identity provider %s sent values that are no strings, are longer than %d characters or are"
                            + " more than %d; they are left out",
                    providerAlias, LONGEST_VALUE, MOST_VALUES);
        }
        return methods(config.accept(readable));
    }

    private static boolean isReadable(Object value) {
        return value instanceof String text && text.length() <= LONGEST_VALUE;
    }

    /** {@code mfa} tells nothing unless its word is taken; from two categories it is computed in any case. */
    private AuthenticationMethods methods(Collection<String> values) {
        long now = Time.currentTime();
        return new AuthenticationMethods(values.stream()
                .distinct()
                .filter(value -> !value.equals(AuthenticationMethods.MFA) || config.trustsMfa())
                .map(value -> new MethodUse(
                        value, value.equals(AuthenticationMethods.MFA), now, MethodUse.AS_LONG_AS_THE_SESSION))
                .toList());
    }
}
