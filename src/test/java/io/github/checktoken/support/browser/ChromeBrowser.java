package io.github.checktoken.support.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.checktoken.support.server.LogSearch;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementClickInterceptedException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.FluentWait;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.openqa.selenium.virtualauthenticator.VirtualAuthenticator;
import org.openqa.selenium.virtualauthenticator.VirtualAuthenticatorOptions;

/**
 * A real browser without a window. It waits until the page has what a test asks for. It keeps nothing from earlier
 * tests, but its process may have served one of them, because starting a browser takes seconds on a busy machine.
 */
public final class ChromeBrowser implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLLING = Duration.ofMillis(50);
    private static final Path SCREENSHOTS =
            Path.of(System.getProperty("checktoken.jar")).resolveSibling("screenshots");

    /** A page of the Admin Console is as high as the window, so the lowest control or text says where it ends. */
    private static final String USED_PART = """
            const box = arguments[0].getBoundingClientRect();
            const leaves = [...arguments[0].querySelectorAll('*')].filter(element => !element.children.length)
                .map(element => element.getBoundingClientRect()).filter(part => part.width && part.height);
            const last = arguments[1]?.getBoundingClientRect().bottom
                ?? Math.max(...leaves.map(part => part.bottom)) + 48;
            const bottom = Math.min(box.bottom, innerHeight, last);
            return {x: box.x, y: box.y, width: box.width, height: bottom - box.y, scale: 1};
            """;

    /** Browsers of tests that have ended, by language. */
    private static final Map<Locale, Queue<ChromeDriver>> IDLE = new ConcurrentHashMap<>();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> IDLE.values().forEach(browsers -> browsers.forEach(ChromeDriver::quit))));
    }

    private final Locale language;
    private final ChromeDriver driver;
    private final FluentWait<WebDriver> wait;
    private final List<VirtualAuthenticator> authenticators = new ArrayList<>();
    private Look look = Look.USUAL;

    private ChromeBrowser(Locale language, ChromeDriver driver) {
        this.language = language;
        this.driver = driver;
        this.wait = new WebDriverWait(driver, LIMIT)
                .pollingEvery(POLLING)
                .ignoring(StaleElementReferenceException.class)
                .ignoring(ElementClickInterceptedException.class)
                // Chrome says "Aborted by navigation" if another page was loaded meanwhile.
                .ignoring(WebDriverException.class);
    }

    /** Skips the test if there is no browser; if {@code CI=true}, the test fails instead. */
    public static ChromeBrowser start(Locale language) {
        ChromeDriver idle = idle(language).poll();
        return new ChromeBrowser(language, idle == null ? ChromeLauncher.launch(language) : idle);
    }

    /** From now on, the page is 320 CSS pixels wide, the narrowest screen that WCAG 2.1 requires (1.4.10). */
    public ChromeBrowser narrow() {
        show(new Look(Look.NARROW, look.dark()));
        return this;
    }

    /** From now on, the person at the browser prefers dark colours. */
    public ChromeBrowser dark() {
        show(new Look(look.width(), true));
        return this;
    }

    /**
     * Shows the page wide and narrow, in light and in dark colours, and then as before.
     *
     * @param action gets the language, the colours and the width, for example {@code fr/dark/320}: a folder for pictures
     */
    public void inEveryLook(Consumer<String> action) {
        Look before = look;
        for (Look each : Look.all()) {
            show(each);
            action.accept(language.getLanguage() + "/" + each);
        }
        show(before);
    }

    private void show(Look next) {
        if (next.width() == Look.WIDE) {
            driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        } else {
            driver.executeCdpCommand(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", next.width(), "height", 1200, "deviceScaleFactor", 1, "mobile", false));
        }
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", next.dark() ? "dark" : ""))));
        look = next;
    }

    /** From the next page on, scripts of pages do not run. {@link #axe} cannot run either; all other methods can. */
    public ChromeBrowser withoutJavaScript() {
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", true));
        return this;
    }

    /** Plugs in an authenticator for WebAuthn, which browsers also allow on {@code http://localhost}. */
    public VirtualAuthenticator plugIn(VirtualAuthenticatorOptions authenticator) {
        VirtualAuthenticator plugged = driver.addVirtualAuthenticator(authenticator);
        authenticators.add(plugged);
        return plugged;
    }

    /**
     * @return violations of WCAG 2.1 A and AA and of axe's best practices, one line each: rule, description, element
     */
    public List<String> axe() {
        return Axe.violations(driver);
    }

    /** @return by how many CSS pixels the page is wider than the window */
    public long overflow() {
        return (Long) driver.executeScript(
                "const page = document.documentElement; return page.scrollWidth - page.clientWidth");
    }

    /**
     * @return the words that are cut at the end of a line because their column is too narrow, except in blocks of code
     */
    public List<String> cutWords() {
        return CutWords.in(driver);
    }

    /** @return the addresses of everything that the page has loaded */
    @SuppressWarnings("unchecked")
    public List<String> loaded() {
        return (List<String>)
                driver.executeScript("return performance.getEntriesByType('resource').map(resource => resource.name)");
    }

    /** Loads the page again, even if only the fragment of the address is different. */
    public void open(String url) {
        driver.get("about:blank");
        driver.get(url);
    }

    /** @return the first visible element */
    public String title() {
        return driver.getTitle();
    }

    /** Forgets the cookies of the page's host. */
    public void forgetCookies() {
        driver.manage().deleteAllCookies();
    }

    public WebElement find(By by) {
        return until(ExpectedConditions.visibilityOfElementLocated(by)::apply);
    }

    /** @return all elements, as soon as one is visible */
    public List<WebElement> findAll(By by) {
        find(by);
        return driver.findElements(by);
    }

    public void click(By by) {
        until(browser -> {
            WebElement element = ExpectedConditions.elementToBeClickable(by).apply(browser);
            if (element == null) {
                return false;
            }
            element.click();
            return true;
        });
    }

    /** Clicks, and waits until another page has replaced this one, even if it looks the same. */
    public void submit(By by) {
        WebElement page = find(By.tagName("html"));
        click(by);
        until(ExpectedConditions.stalenessOf(page)::apply);
    }

    /** Replaces the text in a text field. */
    public void fill(By by, String text) {
        WebElement field = find(by);
        if ("password".equals(field.getDomProperty("type"))) {
            LogSearch.add("typed in a browser", text);
        }
        field.clear();
        field.sendKeys(text);
    }

    public void scrollTo(By by) {
        driver.executeScript("arguments[0].scrollIntoView({block: 'center'})", find(by));
    }

    /** Waits until the condition gives neither null nor false. If the page changes meanwhile, it is evaluated again. */
    public <T> T until(Function<ChromeDriver, T> condition) {
        try {
            return wait.until(browser -> condition.apply(driver));
        } catch (TimeoutException e) {
            write("waited-in-vain", driver.getScreenshotAs(OutputType.BYTES));
            throw e;
        }
    }

    /**
     * Writes the whole page to {@code target/screenshots/{name}.png} for a person to look at, with {@code -Dscreenshots}
     * only.
     */
    public void screenshot(String name) {
        if (System.getProperty("screenshots") != null) {
            write(name, wholePage());
        }
    }

    /** Does the same in every look: {@code target/screenshots/{language}/{light or dark}/{width}/{name}.png}. */
    public void screenshotInEveryLook(String name) {
        if (System.getProperty("screenshots") != null) {
            inEveryLook(folder -> screenshot(folder + "/" + name));
        }
    }

    /**
     * Writes a part of the window to {@code target/screenshots/{name}.png}, with {@code -Dscreenshots} only.
     *
     * @param part the element to show, as far down as it contains something
     */
    public void screenshot(String name, By part) {
        screenshot(name, part, null);
    }

    /** @param last the last element in {@code part} to show, or null */
    public void screenshot(String name, By part, By last) {
        if (System.getProperty("screenshots") != null) {
            WebElement end = last == null ? null : find(last);
            write(name, picture(Map.of("clip", driver.executeScript(USED_PART, find(part), end))));
        }
    }

    /** The width is the window's, because a picture of the whole page has no scroll bar. */
    private byte[] wholePage() {
        Map<String, Object> clip = Map.of(
                "x", 0,
                "y", 0,
                "width", driver.executeScript("return innerWidth"),
                "height", driver.executeScript("return document.documentElement.scrollHeight"),
                "scale", 1);
        return picture(Map.of("captureBeyondViewport", true, "clip", clip));
    }

    private byte[] picture(Map<String, Object> settings) {
        Map<String, Object> screenshot = driver.executeCdpCommand("Page.captureScreenshot", settings);
        return Base64.getDecoder().decode((String) screenshot.get("data"));
    }

    private void write(String name, byte[] picture) {
        try {
            Path file = SCREENSHOTS.resolve(name + ".png");
            Files.createDirectories(file.getParent());
            Files.write(file, picture);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (driver.getWindowHandles().size() == 1) {
                forget();
                idle(language).add(driver);
                return;
            }
        } catch (WebDriverException e) {
            // An alert is open, or the browser has crashed.
        }
        driver.quit();
    }

    /** Removes the authenticators, the cookies and what pages have stored, and resets everything that this class can set. */
    private void forget() {
        authenticators.forEach(driver::removeVirtualAuthenticator);
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        show(Look.USUAL);
        if (driver.getCurrentUrl().startsWith("http")) {
            driver.executeScript("sessionStorage.clear()");
            driver.executeCdpCommand(
                    "Storage.clearDataForOrigin",
                    Map.of("origin", driver.executeScript("return origin"), "storageTypes", "all"));
        }
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        driver.get("about:blank");
    }

    private static Queue<ChromeDriver> idle(Locale language) {
        return IDLE.computeIfAbsent(language, each -> new ConcurrentLinkedQueue<>());
    }
}
