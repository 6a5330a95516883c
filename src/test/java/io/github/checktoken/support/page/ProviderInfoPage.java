package io.github.checktoken.support.page;

import java.util.List;

import io.github.checktoken.support.browser.ChromeBrowser;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Provider info: every provider of the server. */
public final class ProviderInfoPage {

    private final ChromeBrowser browser;

    ProviderInfoPage(ChromeBrowser browser) {
        this.browser = browser;
    }

    /** @return the ids of an SPI's providers, each followed by what can be clicked there */
    public List<String> providers(String spi) {
        return browser.findAll(By.xpath(row(spi) + "//li")).stream()
                .map(WebElement::getText)
                .toList();
    }

    /** @return what the page shows of a provider once Show more was clicked */
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
