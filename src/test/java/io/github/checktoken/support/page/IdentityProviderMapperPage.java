package io.github.checktoken.support.page;

import java.util.List;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The form of a new mapper of an identity provider. Settings are named as in its configuration. */
public final class IdentityProviderMapperPage {

    private final ChromeBrowser browser;

    IdentityProviderMapperPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    public void choose(String name, String type) {
        browser.fill(By.cssSelector("[data-testid=name]"), name);
        browser.click(By.id("identityProviderMapper"));
        browser.click(By.xpath("//*[@role='option'][normalize-space()='" + type + "']"));
    }

    /** @return the labels of the form's fields, from top to bottom */
    public List<String> labels() {
        return browser.findAll(By.cssSelector("form .pf-v5-c-form__label-text")).stream()
                .map(WebElement::getText)
                .toList();
    }

    public void fill(String setting, String text) {
        browser.fill(By.cssSelector("[data-testid='" + setting + "']"), text);
    }

    /** Fills in the first row of a map. */
    public void fillRow(String setting, String key, String value) {
        browser.click(By.cssSelector("[data-testid='" + setting + "-add-row']"));
        browser.fill(By.cssSelector("[data-testid$='.0.key']"), key);
        browser.fill(By.cssSelector("[data-testid$='.0.value']"), value);
    }

    /** @return the message of the console */
    public String save() {
        return Alert.after(browser, () -> browser.click(By.cssSelector("[data-testid=new-mapper-save-button]")));
    }
}
