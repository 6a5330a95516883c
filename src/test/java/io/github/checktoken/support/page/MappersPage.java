package io.github.checktoken.support.page;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;

/** The mappers of a client's dedicated scope. */
public final class MappersPage {

    private final ChromeBrowser browser;

    MappersPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    /** Opens the form of a client's first mapper: Configure a new mapper, then a type from the list. */
    public MapperPage configureNew(String type) {
        // Finds the button by its place, because its test id is made from its translated text.
        browser.click(By.xpath("//*[@data-testid='empty-state']//button[last()]"));
        browser.find(By.id(type));
        browser.screenshot("mapper-types");
        browser.click(By.id(type));
        return new MapperPage(browser);
    }

    public MapperPage open(String name) {
        browser.click(By.linkText(name));
        return new MapperPage(browser);
    }

    /** @return category, type and priority of the mapper with this name */
    public String row(String name) {
        return browser.find(By.xpath("//tr[.//a[.='" + name + "']]")).getText();
    }
}
