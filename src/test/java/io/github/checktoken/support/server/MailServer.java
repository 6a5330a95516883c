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

    /** Finds a code in a line of its own, or the key in a link. */
    private static final Pattern CODE_OR_KEY = Pattern.compile("(?m)^([0-9]{6,10})\\s*$|[?&]key=([^&\\s]+)");

    private static final Pattern LINK = Pattern.compile("http\\S+/login-actions/action-token\\S+");

    private final GreenMail greenMail = new GreenMail(ServerSetup.SMTP.port(DistributionServer.freePort()));
    private final KeycloakServer server;

    public MailServer(KeycloakServer server) {
        this.server = server;
        start();
    }

    /** Starts it again after {@link #stop}, on the same port and without the mails of before. */
    public void start() {
        greenMail.start();
    }

    /** Refuses connections from now on. */
    public void stop() {
        greenMail.stop();
    }

    /** @return the settings for a realm's {@code smtpServer} */
    public Map<String, String> settings() {
        return settings(server.addressOfThisHost(greenMail.getSmtp().getPort()));
    }

    /** @return the settings of a mail server that does not answer */
    public Map<String, String> settingsOfNone() {
        return settings("127.0.0.1:1");
    }

    /**
     * @return all mails, the oldest first. A mail is there as soon as Keycloak answers, which waits for the mail server
     */
    public List<Mail> mails() {
        return Arrays.stream(greenMail.getReceivedMessages())
                .map(MailServer::read)
                .toList();
    }

    /** @return the mails to an address, the oldest first. Mails to other addresses are not read */
    public List<Mail> mailsTo(String address) {
        GreenMailUser user = user(address);
        return user == null
                ? List.of()
                : inbox(user).getNonDeletedMessages().stream()
                        .map(message -> read(message.getMimeMessage()))
                        .toList();
    }

    /** @return how many mails this address has got */
    public int count(String address) {
        GreenMailUser user = user(address);
        return user == null ? 0 : inbox(user).getMessageCount();
    }

    /** @return the code of the newest mail that has one */
    public Optional<String> newestCode(String address) {
        return codes(address).stream().reduce((older, newer) -> newer);
    }

    /** @return the codes in all mails to an address, the oldest first */
    public List<String> codes(String address) {
        return mailsTo(address).stream().flatMap(Mail::codes).toList();
    }

    /** @return the links in all mails to an address, the oldest first */
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
        stop();
    }

    /** An e-mail as text and as HTML. */
    public record Mail(String to, String subject, String text, String html) {

        /** @return the first line of the text that is a number */
        public String code() {
            return codes().findFirst().orElseThrow(() -> new AssertionError("No code in " + text));
        }

        /** @return the first link in the text that continues an action */
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
