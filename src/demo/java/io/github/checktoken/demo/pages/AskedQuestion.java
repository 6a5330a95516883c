package io.github.checktoken.demo.pages;

import java.util.List;

import io.github.checktoken.demo.pages.exchange.Exchange;
import io.github.checktoken.demo.pages.town.SignIn;

/**
 * What a visitor has asked last, with the answers.
 *
 * @param kind what was asked
 * @param signIn the sign-in that the access token is from
 */
record AskedQuestion(Kind kind, SignIn signIn, List<Exchange> exchanges) {

    /** Each has texts of its own. */
    enum Kind {
        /** Data providers ask about the token of somebody who is signed in. */
        TOKEN,
        /** The same after the person has signed out. */
        SIGNED_OUT,
        /** A client asks that is no data provider. */
        NO_DATA_PROVIDER,
        /** A data provider asks whose key does not fit. */
        WRONG_KEY
    }
}
