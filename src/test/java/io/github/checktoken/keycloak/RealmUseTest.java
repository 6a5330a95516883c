package io.github.checktoken.keycloak;

import java.util.Set;

import io.github.checktoken.introspection.dataprovider.DataProviderMapper;
import io.github.checktoken.login.amr.LoginLevelMapper;
import io.github.checktoken.login.amr.RequestedAmrMapper;
import io.github.checktoken.login.condition.AuthenticationMethodCondition;
import io.github.checktoken.login.emailcode.EmailCodeAuthenticator;
import io.github.checktoken.login.pin.ConfigurePin;
import io.github.checktoken.login.pin.PinAuthenticator;
import io.github.checktoken.login.pin.PinDirectGrantAuthenticator;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** {@link RealmUse} belongs to neither half, so it repeats the ids of what they provide. */
class RealmUseTest {

    @Test
    void looksForTheIdsOfOurProviders() {
        assertEquals(DataProviderMapper.PROVIDER_ID, RealmUse.DATA_PROVIDER);
        assertEquals(Set.of(RequestedAmrMapper.PROVIDER_ID, LoginLevelMapper.PROVIDER_ID), RealmUse.LOGIN_MAPPERS);
        assertEquals(
                Set.of(
                        EmailCodeAuthenticator.PROVIDER_ID,
                        PinAuthenticator.PROVIDER_ID,
                        PinDirectGrantAuthenticator.PROVIDER_ID,
                        AuthenticationMethodCondition.PROVIDER_ID),
                RealmUse.AUTHENTICATORS);
        assertEquals(ConfigurePin.PROVIDER_ID, RealmUse.REQUIRED_ACTION);
    }
}
