package io.github.checktoken.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementClickInterceptedException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.FluentWait;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real browser, without a window and with a new profile. Whatever it is asked for, it waits until the page has it. */
public final class ChromeBrowser implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration POLLING = Duration.ofMillis(50);
    private static final Path SCREENSHOTS =
            Path.of(System.getProperty("checktoken.jar")).resolveSibling("screenshots");
    private static final String NOT_FOUND =
            "No browser found: this test needs chromium (or google-chrome) and chromedriver on the PATH.";

    private final ChromeDriver driver;
    private final FluentWait<WebDriver> wait;

    private ChromeBrowser(ChromeDriver driver) {
        this.driver = driver;
        this.wait = new WebDriverWait(driver, LIMIT)
                .pollingEvery(POLLING)
                .ignoring(StaleElementReferenceException.class)
                .ignoring(ElementClickInterceptedException.class);
    }

    /** Skips the test where there is no browser; in the continuous integration ({@code CI=true}) it fails instead. */
    public static ChromeBrowser start(Locale language) {
        Optional<Path> binary = onPath("chromium", "chromium-browser", "google-chrome");
        Optional<Path> chromedriver = onPath("chromedriver");
        if (binary.isEmpty() || chromedriver.isEmpty()) {
            return "true".equals(System.getenv("CI")) ? Assertions.fail(NOT_FOUND) : Assumptions.abort(NOT_FOUND);
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary.get().toFile());
        options.setExperimentalOption("prefs", Map.of("intl.accept_languages", language.toLanguageTag()));
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--window-size=1280,1000");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.get().toFile())
                .build();
        return new ChromeBrowser(new ChromeDriver(service, options));
    }

    /** Loads the page anew, also where the address differs from the last one in the fragment alone. */
    public void open(String url) {
        driver.get("about:blank");
        driver.get(url);
    }

    /** The first visible element. */
    public WebElement find(By by) {
        return until(ExpectedConditions.visibilityOfElementLocated(by)::apply);
    }

    /** All elements, once there is one. */
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

    /** Replaces what is in a text field. */
    public void fill(By by, String text) {
        WebElement field = find(by);
        field.clear();
        field.sendKeys(text);
    }

    public void scrollTo(By by) {
        driver.executeScript("arguments[0].scrollIntoView({block: 'center'})", find(by));
    }

    /** Waits for anything that is neither null nor false. A page that renders itself anew meanwhile is asked again. */
    public <T> T until(Function<ChromeDriver, T> condition) {
        try {
            return wait.until(browser -> condition.apply(driver));
        } catch (TimeoutException e) {
            screenshot("waited-in-vain");
            throw e;
        }
    }

    /** Writes {@code target/screenshots/{name}.png} for a person to look at. */
    public void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }

    private static Optional<Path> onPath(String... names) {
        List<Path> folders = Pattern.compile(Pattern.quote(System.getProperty("path.separator")))
                .splitAsStream(System.getenv("PATH"))
                .map(Path::of)
                .toList();
        return Arrays.stream(names)
                .flatMap(name -> Stream.of(name, name + ".exe"))
                .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
