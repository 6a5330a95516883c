package io.github.checktoken.introspection.notice;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.introspection.dataprovider.ClientCertificates;
import io.github.checktoken.introspection.dataprovider.ClientSecret;
import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyStatus;
import io.github.checktoken.keycloak.CurrentTime;

/**
 * What a data provider has to mend: its calls will fail, or others can read its answers.
 *
 * @param detail why the key could not be renewed, in English; which private members the set has; or the day on which the
 *     secret or the certificate expires, such as 2026-12-01, in UTC
 */
record Notice(Kind kind, String detail) {

    /** What a notice is about. */
    enum Kind {
        /** The key's set could not be loaded for a while, or had no key that fits. */
        KEY("key_not_renewed", "keyNotice"),
        /** The key's set has private keys, which everybody who knows its address can read. */
        PRIVATE_KEY("private_key_published", "privateKeyNotice"),
        /** The client secret expires soon. */
        SECRET("secret_expires", "secretNotice"),
        /** The TLS client certificate of the last call at this node expires soon. */
        CERTIFICATE("certificate_expires", "certificateNotice");

        private final String error;
        private final String text;

        Kind(String error, String text) {
            this.error = error;
            this.text = text;
        }

        /** The event's error, and the meter's reason. */
        String error() {
            return error;
        }

        /** How the names of the mail's texts begin. */
        String text() {
            return text;
        }
    }

    private static final Duration EXPIRY_WARNING = Duration.ofDays(14);

    /** @param keyFailure for how long the loads of a key must have failed before there is a notice */
    static List<Notice> of(KeycloakSession session, DataProvider dataProvider, Duration keyFailure) {
        ClientModel client = dataProvider.client();
        Optional<Notice> key = session.getProvider(EncryptionKeyProvider.class)
                .failureFor(keyFailure, client, dataProvider.config().keyAlgorithm())
                .map(failure -> new Notice(Kind.KEY, failure));
        Optional<Notice> privateKey = session.getProvider(EncryptionKeyProvider.class)
                .knownStatus(client, dataProvider.config().keyAlgorithm())
                .flatMap(EncryptionKeyStatus::privateMembers)
                .map(members -> new Notice(Kind.PRIVATE_KEY, members));
        Optional<Notice> secret = ClientSecret.of(client)
                .flatMap(ClientSecret::expiry)
                .flatMap(expiry -> ofExpiry(Kind.SECRET, expiry, CurrentTime.seconds()));
        Optional<Notice> certificate = ClientCertificates.of(session)
                .expiry(client)
                .flatMap(expiry -> ofExpiry(Kind.CERTIFICATE, expiry, CurrentTime.seconds()));
        return Stream.of(key, privateKey, secret, certificate)
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * @param expiry in seconds since the epoch
     * @param now in seconds since the epoch
     * @return empty if it does not expire soon, or has expired: then the calls fail already
     */
    static Optional<Notice> ofExpiry(Kind kind, long expiry, long now) {
        return expiry > now && expiry - now <= EXPIRY_WARNING.toSeconds()
                ? Optional.of(new Notice(kind, day(expiry).toString()))
                : Optional.empty();
    }

    private static LocalDate day(long time) {
        return LocalDate.ofInstant(Instant.ofEpochSecond(time), ZoneOffset.UTC);
    }
}
