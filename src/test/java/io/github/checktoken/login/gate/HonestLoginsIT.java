package io.github.checktoken.login.gate;

import java.util.List;

import io.github.checktoken.login.gate.honest.Habit;
import io.github.checktoken.login.gate.honest.HonestLogin;
import io.github.checktoken.login.gate.honest.HonestRealms;
import io.github.checktoken.login.gate.honest.HonestReport;
import io.github.checktoken.login.gate.honest.HonestTab;
import io.github.checktoken.login.gate.honest.HonestWalk;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Who does everything once gets in by every kind of login, without a second try. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HonestLoginsIT {

    private final HonestRealms realms;
    private final HonestReport report = new HonestReport("once");

    HonestLoginsIT(KeycloakServer server, MailServer mailServer) {
        this.realms = new HonestRealms(server, mailServer);
    }

    @ParameterizedTest
    @EnumSource
    void personIsSignedInAtTheFirstTry(HonestLogin login) {
        HonestWalk walk = realms.walk(login);
        walk.prepare();
        HonestTab tab = walk.signIn(Habit.ONCE);
        report.add(login, Habit.ONCE.name(), List.of(tab));

        assertFalse(tab.needsASecondTry(), () -> "" + tab.seen());
        assertEquals(login.isWithoutABrowser() ? null : walk.person().name(), walk.whoIsSignedIn());
    }
}
