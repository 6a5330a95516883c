package io.github.checktoken.support.page;

import java.nio.file.Path;
import java.util.List;
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
        menuItem(item);
    }

    /** Clicks on an item of the menu that is open. */
    public void menuItem(String item) {
        beforeUse.accept(item);
        item("menuitem", item);
    }

    /** Clicks on a button of a dialog. A menu that is still open behind it may have the same words. */
    public void dialogButton(String label) {
        beforeUse.accept(label);
        click(dialogButtonXpath(label));
    }

    private static String dialogButtonXpath(String label) {
        return "//*[contains(@class,'pf-v5-c-modal-box')]//button[normalize-space()='" + label + "']";
    }

    /**
     * Opens the menu ⋮ of something in a table, and clicks on an item. If the table is loaded again meanwhile, that closes
     * the menu, so it is opened once more.
     */
    void kebabItem(String name, String item) {
        Alert.closeAll(browser);
        List.of(name, "⋮", item).forEach(beforeUse);
        By kebab = By.xpath("//tr[.//td//a[normalize-space()='" + name + "']]//button[@aria-label='Kebab toggle']");
        By menuItem = By.xpath("//*[@role='menuitem'][normalize-space()='" + item + "']");
        browser.until(driver -> {
            for (WebElement element : driver.findElements(menuItem)) {
                if (element.isDisplayed()) {
                    element.click();
                    return true;
                }
            }
            WebElement button = driver.findElement(kebab);
            if (!"true".equals(button.getDomAttribute("aria-expanded"))) {
                button.click();
            }
            return false;
        });
        clicks += 2;
    }

    /** Waits until the page has this title. */
    void awaitTitle(String title) {
        beforeUse.accept(title);
        browser.find(By.xpath("//main//h1[normalize-space()='" + title + "']"));
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

    /** Chooses an option of the list behind a button that this console has no label for. */
    void option(String button, String option) {
        click(button);
        beforeUse.accept(option);
        item("option", option);
    }

    /** Finds something in the list of a dialog, which has several pages, and selects it. */
    void radio(String label) {
        beforeUse.accept(label);
        searchInDialog(label);
        click("//label[contains(@class,'pf-v5-c-radio__label')][normalize-space()='" + label + "']");
    }

    /** Clicks on a button without a text. Closes messages first, because a click on one of them would close a menu. */
    void sign(String button, String sign) {
        Alert.closeAll(browser);
        beforeUse.accept(sign);
        click(button);
    }

    /** @return what a part of a table shows */
    String text(String xpath) {
        return browser.find(By.xpath(xpath)).getText();
    }

    /** Replaces the text in a text field. */
    public void fill(String label, String text) {
        beforeUse.accept(label);
        fill(By.xpath(field(label) + "//input"), text);
    }

    /** Fills in a text field that is below the head of a column. */
    public void fillColumn(String head, String text) {
        beforeUse.accept(head);
        fill(By.xpath("//main//input[@aria-label='" + head + "']"), text);
    }

    private void fill(By field, String text) {
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
        if (!"true".equals(browser.find(input).getDomAttribute("aria-expanded"))) {
            // Keycloak 26.5 opens the list at the first letter and closes it at the next one.
            browser.find(input).click();
        }
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

    /** Clicks on the switch in the row of a table with this name, and in the column with this head. */
    public void setInRow(String name, String head, boolean on) {
        beforeUse.accept(name);
        beforeUse.accept(head);
        String cell = "//tr[td[normalize-space()='" + name + "']]/td[count(//th[normalize-space()='" + head
                + "']/preceding-sibling::th)+1]//label";
        click(cell);
        browser.until(
                driver -> browser.find(By.xpath(cell)).findElement(CHECK_BOX).isSelected() == on);
    }

    /** Clicks on a button that opens the browser's own dialog, and chooses a file there. */
    public void chooseFile(String button, Path file) {
        beforeUse.accept(button);
        String upload = "//*[contains(@class,'pf-v5-c-file-upload')][.//button[normalize-space()='" + button + "']]";
        browser.until(driver -> driver.findElement(By.xpath(upload + "//input[@type='file']")))
                .sendKeys(file.toAbsolutePath().toString());
        clicks++;
    }

    /** @return what the dialog says, as soon as it has this button */
    public String dialogWith(String button) {
        browser.find(By.xpath(dialogButtonXpath(button)));
        return browser.find(DIALOG).getText();
    }

    /** Waits until the menu at the left shows this name of a realm. */
    public void awaitRealm(String displayName) {
        browser.find(By.xpath("//nav//h2//span[normalize-space()='" + displayName + "']"));
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

    /** Takes a picture of the page, scrolled to this part. */
    void picture(String name, String xpath) {
        Alert.closeAll(browser);
        browser.scrollTo(By.xpath(xpath));
        browser.screenshot(name, PAGE);
    }

    /** Takes a picture of a dialog with a list, down to the second item after the one with this text. */
    public void pictureOfList(String name, String text) {
        browser.scrollTo(By.xpath(listItemXpath(text)));
        browser.screenshot(name, DIALOG, By.xpath(listItemXpath(text) + "/following-sibling::li[2]"));
    }

    void click(String xpath) {
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
