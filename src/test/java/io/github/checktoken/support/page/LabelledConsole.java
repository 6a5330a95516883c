package io.github.checktoken.support.page;

import java.util.function.Consumer;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The Admin Console as somebody uses it who reads labels and clicks. Nothing is found by an address or a setting's name. */
public final class LabelledConsole {

    private static final By PAGE = By.cssSelector("main");
    private static final By DIALOG = By.className("pf-v5-c-modal-box");
    private static final By SEARCH = By.cssSelector("main input[aria-label=Search]");
    private static final By SEARCH_IN_DIALOG = By.cssSelector(".pf-v5-c-modal-box input[aria-label=Search]");
    private static final String TABLE = "//main//table";
    private static final By CHECK_BOX = By.xpath("descendant-or-self::input | ../input");

    private final ChromeBrowser browser;
    private final Consumer<String> beforeUse;
    private int clicks;
    private int fields;

    /** @param beforeUse is told each label and each option before it is looked for */
    public LabelledConsole(ChromeBrowser browser, Consumer<String> beforeUse) {
        this.browser = browser;
        this.beforeUse = beforeUse;
    }

    /** @return how many clicks there were until now */
    public int clicks() {
        return clicks;
    }

    /** @return how many text fields have been filled in until now, search fields included */
    public int fields() {
        return fields;
    }

    /** Clicks on an entry of the menu at the left. */
    public void menu(String label) {
        beforeUse.accept(label);
        click("//a[contains(@class,'pf-v5-c-nav__link')][normalize-space()='" + label + "']");
    }

    public void tab(String label) {
        beforeUse.accept(label);
        click("//*[contains(@class,'pf-v5-c-tabs__link')][normalize-space()='" + label + "']");
    }

    public void button(String label) {
        beforeUse.accept(label);
        click("//*[self::button or self::a[contains(@class,'pf-v5-c-button')]][normalize-space()='" + label + "']");
    }

    /** Clicks on the name of something in a table that the guide cannot know, and waits until the table has gone. */
    public void row(String name) {
        WebElement table = table();
        click("//td//a[normalize-space()='" + name + "']");
        browser.until(ExpectedConditions.stalenessOf(table)::apply);
    }

    /** Clicks on the name of something in a table. */
    public void link(String name) {
        beforeUse.accept(name);
        row(name);
    }

    /** Clicks on an item of a list, of which the text is one part. */
    public void listItem(String text) {
        beforeUse.accept(text);
        click(listItemXpath(text));
    }

    private static String listItemXpath(String text) {
        return "//li[contains(@class,'pf-v5-c-data-list__item')][.//*[normalize-space()='" + text + "']]";
    }

    /** Opens a menu by its button, and clicks on an item. */
    public void menuItem(String button, String item) {
        button(button);
        beforeUse.accept(item);
        item("menuitem", item);
    }

    /** Opens the menu ⋮ above the table. Closes messages first, because a click on one of them would close the menu. */
    public void openTableMenu() {
        Alert.closeAll(browser);
        beforeUse.accept("⋮");
        click("//*[@data-testid='table-toolbar']//button[@aria-label='Kebab toggle']");
    }

    /** Clicks on an item of the menu ⋮, and waits until the table has been loaded again. */
    public void tableMenuItem(String item) {
        WebElement table = table();
        beforeUse.accept(item);
        item("menuitem", item);
        browser.until(ExpectedConditions.stalenessOf(table)::apply);
    }

    private void item(String role, String label) {
        click("//*[@role='" + role + "'][normalize-space()='" + label + "']");
    }

    /** Replaces the text in a text field. */
    public void fill(String label, String text) {
        beforeUse.accept(label);
        By field = By.xpath(field(label) + "//input");
        if (browser.find(field).getDomProperty("value").isEmpty()) {
            fields++;
        }
        browser.fill(field, text);
    }

    /** Chooses an option of a drop-down list. */
    public void choose(String label, String option) {
        beforeUse.accept(label);
        click(field(label) + "//button[contains(@class,'pf-v5-c-menu-toggle')]");
        beforeUse.accept(option);
        item("option", option);
    }

    /** Types the first letters of an option into a field that has a list, chooses it there, and closes the list. */
    public void type(String label, String option) {
        beforeUse.accept(label);
        By input = By.xpath(field(label) + "//input");
        browser.fill(input, option);
        fields++;
        item("option", option);
        browser.find(input).sendKeys(Keys.ESCAPE);
    }

    /** @return the option that a drop-down list shows */
    public String chosen(String label) {
        beforeUse.accept(label);
        return browser.find(By.xpath(field(label) + "//button[contains(@class,'pf-v5-c-menu-toggle')]"))
                .getText();
    }

    /** Clicks on a switch or a check box unless it is in the right position already. */
    public void set(String label, boolean on) {
        beforeUse.accept(label);
        String box = field(label) + "//label[contains(@class,'pf-v5-c-switch')]"
                + " | //label[contains(@class,'pf-v5-c-check__label')][normalize-space()='" + label + "']";
        WebElement input = browser.find(By.xpath(box)).findElement(CHECK_BOX);
        if (input.isSelected() != on) {
            click(box);
            browser.until(driver -> input.isSelected() == on);
        }
    }

    /** Types into the search field of the page's table, and presses Enter. */
    public void search(String text) {
        search(SEARCH, text);
    }

    /** Types into the search field of the dialog's table, and presses Enter. */
    public void searchInDialog(String text) {
        search(SEARCH_IN_DIALOG, text);
    }

    private void search(By field, String text) {
        browser.fill(field, text);
        browser.find(field).sendKeys(Keys.ENTER);
        fields++;
    }

    /** Selects the row of a table with this name. */
    public void select(String name) {
        click("//tr[td[normalize-space()='" + name + "']]//input[@type='checkbox']");
    }

    /** Selects all rows of the table's page. */
    public void selectAll() {
        click("//thead//input[@type='checkbox']");
    }

    /** @return the number of rows of the table's page */
    public int rows() {
        return table().findElements(By.xpath(".//tbody/tr")).size();
    }

    private WebElement table() {
        return browser.until(driver -> driver.findElements(By.xpath(TABLE)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
    }

    /** @return the text that the page has put into a text field */
    public String content(String label) {
        beforeUse.accept(label);
        return content(By.xpath(field(label) + "//input"));
    }

    /** @return what the page Evaluate shows, a JSON object */
    public String generatedAccessToken() {
        return content(By.id("text-area-generatedAccessToken"));
    }

    private String content(By field) {
        return browser.until(driver -> {
            String content = browser.find(field).getDomProperty("value");
            return content.isEmpty() ? null : content;
        });
    }

    /** @return the message that the console shows after the action */
    public String messageAfter(Runnable action) {
        return Alert.after(browser, action);
    }

    /** Takes a picture of the page, without the menu at the left. */
    public void picture(String name) {
        Alert.closeAll(browser);
        browser.screenshot(name, PAGE);
    }

    /** Takes a picture of a dialog with a list, down to the second item after the one with this text. */
    public void pictureOfList(String name, String text) {
        browser.scrollTo(By.xpath(listItemXpath(text)));
        browser.screenshot(name, DIALOG, By.xpath(listItemXpath(text) + "/following-sibling::li[2]"));
    }

    private void click(String xpath) {
        browser.until(driver -> {
            for (WebElement element : driver.findElements(By.xpath(xpath))) {
                if (element.isDisplayed() && element.isEnabled()) {
                    element.click();
                    return true;
                }
            }
            return false;
        });
        clicks++;
    }

    private static String field(String label) {
        return "//*[contains(concat(@class,' '),'pf-v5-c-form__group ')]"
                + "[.//*[contains(@class,'pf-v5-c-form__label-text')][normalize-space()='" + label + "']]";
    }
}
