package io.github.checktoken.support.server;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;

/** A mail server in the tests' process, on a free port. Every address has a mailbox. */
public final class MailServer implements AutoCloseable {

    /** A code in a line of its own, the key in a link. */
    private static final Pattern CODE_OR_KEY = Pattern.compile("(?m)^([0-9]{6,10})\\s*$|[?&]key=([^&\\s]+)");

    private static final Pattern LINK = Pattern.compile("http\\S+/login-actions/action-token\\S+");

    private final GreenMail greenMail =
            new GreenMail(ServerSetup.SMTP.dynamicPort().port(0));
    private final KeycloakServer server;

    public MailServer(KeycloakServer server) {
        this.server = server;
        greenMail.start();
    }

    /** A realm's {@code smtpServer}. */
    public Map<String, String> settings() {
        return settings(server.addressOfThisHost(greenMail.getSmtp().getPort()));
    }

    /** The settings of a mail server that does not answer. */
    public Map<String, String> settingsOfNone() {
        return settings("127.0.0.1:1");
    }

    /** What arrived, the oldest first. Keycloak waits for the mail server, so it is there at once. */
    public List<Mail> mails() {
        return Arrays.stream(greenMail.getReceivedMessages())
                .map(MailServer::read)
                .toList();
    }

    /** What arrived for an address, the oldest first. The mails to others are not read for it. */
    public List<Mail> mailsTo(String address) {
        GreenMailUser user = user(address);
        return user == null
                ? List.of()
                : inbox(user).getMessages().stream()
                        .map(message -> read(message.getMimeMessage()))
                        .toList();
    }

    /** The code of the newest mail that has one. */
    public Optional<String> newestCode(String address) {
        return mailsTo(address).stream().flatMap(Mail::codes).reduce((older, newer) -> newer);
    }

    /** The links of all mails, the oldest first. */
    public List<String> links(String address) {
        return mailsTo(address).stream().flatMap(Mail::links).toList();
    }

    public void forget(String address) {
        GreenMailUser user = user(address);
        if (user != null) {
            inbox(user).deleteAllMessages();
            greenMail.getManagers().getUserManager().deleteUser(user);
        }
    }

    @Override
    public void close() {
        greenMail.stop();
    }

    /** An e-mail in its two forms. */
    public record Mail(String to, String subject, String text, String html) {

        /** The only line of the text that is a number. */
        public String code() {
            return codes().findFirst().orElseThrow(() -> new AssertionError("No code in " + text));
        }

        /** The link in the text that goes on with an action. */
        public String link() {
            return links().findFirst().orElseThrow(() -> new AssertionError("No link in " + text));
        }

        private Stream<String> codes() {
            return text.lines().filter(line -> line.matches("[0-9]+"));
        }

        private Stream<String> links() {
            return LINK.matcher(text).results().map(MatchResult::group);
        }
    }

    private GreenMailUser user(String address) {
        return greenMail.getManagers().getUserManager().getUserByEmail(address);
    }

    private MailFolder inbox(GreenMailUser user) {
        try {
            return greenMail.getManagers().getImapHostManager().getInbox(user);
        } catch (FolderException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> settings(String address) {
        int colon = address.lastIndexOf(':');
        return Map.of(
                "host", address.substring(0, colon),
                "port", address.substring(colon + 1),
                "from", "no-reply@login.example.org");
    }

    private static Mail read(MimeMessage message) {
        try {
            MimeMultipart parts = (MimeMultipart) message.getContent();
            Mail mail = new Mail(
                    message.getAllRecipients()[0].toString(),
                    message.getSubject(),
                    part(parts.getBodyPart(0), "text/plain"),
                    part(parts.getBodyPart(1), "text/html"));
            CODE_OR_KEY
                    .matcher(mail.text())
                    .results()
                    .forEach(result -> LogSearch.add("in a mail", result.group(result.group(1) == null ? 2 : 1)));
            return mail;
        } catch (MessagingException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String part(BodyPart part, String type) throws MessagingException, IOException {
        if (!part.isMimeType(type)) {
            throw new AssertionError(part.getContentType() + " instead of " + type);
        }
        return (String) part.getContent();
    }
}
