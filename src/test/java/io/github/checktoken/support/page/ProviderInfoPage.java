package io.github.checktoken.support.page;

import java.util.List;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page Provider info, which lists every provider of the server. */
public final class ProviderInfoPage {

    private final ChromeBrowser browser;

    ProviderInfoPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    /** @return the ids of an SPI's providers, each followed by the text of its button, if it has one */
    public List<String> providers(String spi) {
        return browser.findAll(By.xpath(row(spi) + "//li")).stream()
                .map(WebElement::getText)
                .toList();
    }

    /** @return what the page shows about a provider after a click on Show more */
    public String details(String spi, String provider) {
        String item = row(spi) + "//li[starts-with(.,'" + provider + "')]";
        browser.click(By.xpath(item + "//button"));
        By table = By.xpath(item + "//table");
        browser.scrollTo(table);
        return browser.find(table).getText();
    }

    private static String row(String spi) {
        return "//tr[td[.='" + spi + "']]";
    }
}
