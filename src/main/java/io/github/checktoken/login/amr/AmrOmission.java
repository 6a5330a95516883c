package io.github.checktoken.login.amr;

import java.util.Locale;

/** Why an ID token has no {@code amr}, although its request asked for it. */
enum AmrOmission {
    /** The login of the code or of the refresh token was not recorded, or not kept. */
    LOGIN_NOT_FOUND,

    /** The codes of several logins cannot be told apart, and the logins differ. */
    LOGINS_AMBIGUOUS,

    /** The login was somebody else's. */
    OTHER_PERSON,

    /** Nothing was proved that the mapper may release. */
    NO_METHOD;

    /** @return the value in events and meters, in lower case */
    String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
