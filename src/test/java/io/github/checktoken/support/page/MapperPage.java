package io.github.checktoken.support.page;

import java.util.List;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The form of one mapper. Settings are named as in its configuration. */
public final class MapperPage {

    private static final By HELP = By.cssSelector(".pf-v5-c-popover__body");

    private static final By LABEL = By.cssSelector("form .pf-v5-c-form__label-text");
    private static final int FIELDS_OF_ALL_MAPPERS = 2;

    private final ChromeBrowser browser;

    MapperPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    /** @return the labels of the form's fields, from top to bottom */
    public List<String> labels() {
        // The console shows the fields that all mappers have first.
        browser.until(driver -> driver.findElements(LABEL).size() > FIELDS_OF_ALL_MAPPERS);
        return browser.findAll(LABEL).stream().map(WebElement::getText).toList();
    }

    /** @param field a dropdown's setting, or {@code config.} and a text field's setting */
    public String help(String field) {
        By button = By.cssSelector("[data-testid='help-label-" + field + "']");
        browser.click(button);
        String text = browser.find(HELP).getText();
        browser.click(button);
        browser.until(driver -> driver.findElements(HELP).isEmpty());
        return text;
    }

    public String selected(String setting) {
        return browser.find(By.id(setting)).getText();
    }

    public List<String> options(String setting) {
        browser.click(By.id(setting));
        List<String> options = browser.findAll(By.cssSelector("[role=option]")).stream()
                .map(WebElement::getText)
                .toList();
        browser.click(By.id(setting));
        return options;
    }

    public void choose(String setting, String option) {
        browser.click(By.id(setting));
        browser.click(By.xpath("//*[@role='option'][normalize-space()='" + option + "']"));
    }

    public void fill(String field, String text) {
        browser.fill(By.cssSelector("[data-testid='" + field + "']"), text);
    }

    /** @return the message of the console */
    public String save() {
        return Alert.after(browser, () -> browser.click(By.cssSelector("[data-testid=save]")));
    }
}
