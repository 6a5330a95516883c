package io.github.checktoken.support.page;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The message that the console shows at the top right after an action. */
final class Alert {

    private static final By LAST = By.cssSelector("[data-testid=last-alert]");
    private static final By CLOSE = By.cssSelector("[data-testid=last-alert] button");

    private Alert() {}

    /** Closes the messages of earlier actions, runs the action, and returns its message. */
    static String after(ChromeBrowser browser, Runnable action) {
        closeAll(browser);
        action.run();
        return browser.find(LAST).getText();
    }

    static void closeAll(ChromeBrowser browser) {
        browser.until(driver -> {
            driver.findElements(CLOSE).forEach(WebElement::click);
            return driver.findElements(LAST).isEmpty();
        });
    }
}
