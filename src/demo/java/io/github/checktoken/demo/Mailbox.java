package io.github.checktoken.demo;

import java.util.List;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.MailServer;

/** The mail server of the demo realm. Mails are printed instead of delivered. */
final class Mailbox implements AutoCloseable {

    private final MailServer server;
    private final Printout out;
    private int printed;

    public Mailbox(Federation federation, Printout out) {
        this.server = new MailServer(federation.server());
        this.out = out;
        federation.admin().update("", realm -> realm.set("smtpServer", Http.JSON.valueToTree(server.settings())));
    }

    /** @return all mails so far, the oldest first */
    List<MailServer.Mail> mails() {
        return server.mails();
    }

    void printNewMail() {
        List<MailServer.Mail> mails = mails();
        for (MailServer.Mail mail : mails.subList(printed, mails.size())) {
            out.title("Mail to " + mail.to() + ": " + mail.subject());
            mail.text().lines().forEach(out::line);
        }
        printed = mails.size();
    }

    @Override
    public void close() {
        server.close();
    }
}
