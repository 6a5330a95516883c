package io.github.checktoken.walk.browser;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.store.StoredMessage;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.github.checktoken.support.server.KeycloakServer;

/** The mails of all walks, by address: reading one mailbox does not read the thousands of others. */
public final class Mailbox implements AutoCloseable {

    private static final Pattern LINK = Pattern.compile("http://\\S*login-actions/action-token\\S*");

    private final GreenMail greenMail =
            new GreenMail(ServerSetup.SMTP.dynamicPort().port(0));
    private final KeycloakServer server;

    public Mailbox(KeycloakServer server) {
        this.server = server;
        greenMail.start();
    }

    public Map<String, String> settings() {
        String address = server.addressOfThisHost(greenMail.getSmtp().getPort());
        int colon = address.lastIndexOf(':');
        return Map.of(
                "host", address.substring(0, colon),
                "port", address.substring(colon + 1),
                "from", "no-reply@login.example.org");
    }

    /** The code of the newest mail that has one, or null. */
    public String code(String address) {
        String code = null;
        for (String text : texts(address)) {
            code = text.lines()
                    .filter(line -> line.matches("[0-9]{6}"))
                    .findFirst()
                    .orElse(code);
        }
        return code;
    }

    /** The links of all mails, the oldest first. */
    public List<String> links(String address) {
        List<String> links = new ArrayList<>();
        for (String text : texts(address)) {
            Matcher link = LINK.matcher(text);
            if (link.find()) {
                links.add(link.group());
            }
        }
        return links;
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

    private List<String> texts(String address) {
        GreenMailUser user = user(address);
        List<String> texts = new ArrayList<>();
        if (user != null) {
            for (StoredMessage message : inbox(user).getMessages()) {
                texts.add(text(message.getMimeMessage()));
            }
        }
        return texts;
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

    private static String text(MimeMessage message) {
        try {
            return (String)
                    ((MimeMultipart) message.getContent()).getBodyPart(0).getContent();
        } catch (MessagingException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
