package io.github.checktoken.demo.pages;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.server.MailServer;

/** The mails that the demo has caught instead of delivering them. */
final class MailList {

    private MailList() {}

    /** @return what the page shows: the newest mail first */
    static Map<String, Object> model(List<MailServer.Mail> oldestFirst) {
        List<MailServer.Mail> newestFirst = new ArrayList<>(oldestFirst);
        Collections.reverse(newestFirst);
        return Map.of("mails", newestFirst);
    }
}
