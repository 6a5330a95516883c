package io.github.checktoken.introspection.token;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.Http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The ways in which a person, a service provider or an administrator ends a session, or the tokens of it. */
enum SessionEnding {
    CONFIRMED_SIGN_OUT {
        @Override
        void end(SignedInPerson person) {
            Browser browser = person.browser();
            HttpResponse<String> question = browser.get(logout(person));
            assertEnded(browser.submit(
                    question, Map.of("session_code", HtmlPage.of(question).value("[name=session_code]"))));
        }
    },
    SIGN_OUT_WITH_ID_TOKEN {
        @Override
        void end(SignedInPerson person) {
            assertEnded(person.browser()
                    .get(logout(person) + "?id_token_hint=" + person.tokens().idToken()));
        }
    },
    SIGN_OUT_BY_THE_SERVICE_PROVIDER {
        @Override
        void end(SignedInPerson person) {
            person.realm().serviceProvider().logOut(person.tokens());
        }
    },
    REFRESH_TOKEN_REVOKED {
        @Override
        void end(SignedInPerson person) {
            person.realm().serviceProvider().revoke(person.tokens().refreshToken());
        }
    },
    REFRESH_TOKEN_REVOKED_BESIDE_ANOTHER_CLIENT {
        @Override
        void end(SignedInPerson person) {
            person.realm().serviceProvider().revoke(person.tokens().refreshToken());
        }

        @Override
        void prepare(SignedInPerson person) {
            String account = person.realm().url() + "/account/";
            HttpResponse<String> signedIn = person.browser()
                    .get(person.realm().url()
                            + "/protocol/openid-connect/auth?client_id=account-console&response_type=code&scope=openid"
                            + "&code_challenge_method=S256&code_challenge=" + "c".repeat(43)
                            + "&redirect_uri=" + Http.encode(account));
            assertTrue(signedIn.uri().toString().startsWith(account), signedIn.body());
        }
    },
    OTHER_DEVICES_SIGNED_OUT {
        @Override
        void end(SignedInPerson person) {
            person.changePasswordElsewhere();
        }
    },
    SESSION_REMOVED_IN_THE_ACCOUNT {
        @Override
        void end(SignedInPerson person) {
            String path = person.realm().url() + "/account/sessions/" + person.sessionId();
            assertEquals(
                    204,
                    Http.send(Http.request(path)
                                    .header("Authorization", "Bearer " + person.accountToken())
                                    .header("Accept", "application/json")
                                    .method("DELETE", BodyPublishers.noBody()))
                            .statusCode());
        }
    },
    SESSION_DELETED {
        @Override
        void end(SignedInPerson person) {
            person.realm().admin().delete("/sessions/" + person.sessionId());
        }
    },
    USER_LOGGED_OUT {
        @Override
        void end(SignedInPerson person) {
            person.realm().admin().post(user(person) + "/logout", Map.of());
        }
    },
    ALL_LOGGED_OUT {
        @Override
        void end(SignedInPerson person) {
            person.realm().admin().post("/logout-all", Map.of());
        }
    },
    USER_DELETED {
        @Override
        void end(SignedInPerson person) {
            person.realm().admin().delete(user(person));
        }
    },
    USER_DISABLED {
        @Override
        void end(SignedInPerson person) {
            person.realm().admin().update(user(person), user -> user.put("enabled", false));
        }
    };

    /** Returns when the answer to the request that ends the session has arrived. */
    abstract void end(SignedInPerson person);

    void prepare(SignedInPerson person) {}

    private static String logout(SignedInPerson person) {
        return person.realm().url() + "/protocol/openid-connect/logout";
    }

    private static void assertEnded(HttpResponse<String> page) {
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("You are logged out"), page.body());
    }

    private static String user(SignedInPerson person) {
        return person.realm().admin().user(person.name());
    }
}
