package io.github.checktoken.support.page;

import java.util.List;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;

/** The buttons of the identity providers on a realm's login page. */
public final class ProviderButtons {

    private final ChromeBrowser browser;

    public ProviderButtons(ChromeBrowser browser) {
        this.browser = browser;
    }

    public void choose(String alias) {
        browser.click(By.id("social-" + alias));
    }

    /** @return places and sizes of the buttons as they are shown, in CSS pixels */
    public List<Rectangle> rectangles() {
        return browser.findAll(By.cssSelector("#kc-social-providers a")).stream()
                .map(WebElement::getRect)
                .toList();
    }

    /** @return the width of the list that has the buttons, in CSS pixels */
    public int listWidth() {
        return browser.find(By.cssSelector("#kc-social-providers ul")).getRect().width;
    }

    /** @return how many buttons come before the first field of the form, for the Tab key and for a screen reader */
    public int beforeTheForm() {
        return browser.findAll(By.cssSelector("#kc-social-providers a, #username")).stream()
                .map(element -> element.getDomAttribute("id"))
                .toList()
                .indexOf("username");
    }
}
