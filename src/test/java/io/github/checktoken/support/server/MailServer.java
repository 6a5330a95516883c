package io.github.checktoken.support.server;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import org.jsoup.Jsoup;

/** A mail server in the tests' process, on a free port. Every address has a mailbox. */
public final class MailServer implements AutoCloseable {

    /** A code in a line of its own, the key in a link. */
    private static final Pattern CODE_OR_KEY = Pattern.compile("(?m)^([0-9]{6,10})\\s*$|[?&]key=([^&\\s]+)");

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

    /** What arrived for an address, the oldest first. */
    public List<Mail> mailsTo(String address) {
        return mails().stream().filter(mail -> mail.to().equals(address)).toList();
    }

    @Override
    public void close() {
        greenMail.stop();
    }

    /** An e-mail in its two forms. */
    public record Mail(String to, String subject, String text, String html) {

        /** The link that goes on with an action: the same in both forms. */
        public String link() {
            return links().stream().findFirst().orElseThrow(() -> new AssertionError("No link in " + text));
        }

        private List<String> links() {
            return Jsoup.parse(html).select("a[href*=/login-actions/action-token]").eachAttr("href").stream()
                    .filter(text::contains)
                    .toList();
        }

        /** The only line of the text that is a number. */
        public String code() {
            return text.lines()
                    .filter(line -> line.matches("[0-9]+"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No code in " + text));
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
