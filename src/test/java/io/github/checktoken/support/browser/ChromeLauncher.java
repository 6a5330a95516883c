package io.github.checktoken.support.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

import io.github.checktoken.support.server.Executable;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Finds the installed browser and starts it with a new profile. */
final class ChromeLauncher {

    private static final String NOT_FOUND =
            "No browser found: this test needs chromium (or google-chrome) and chromedriver on the PATH.";

    /** The command on the PATH is a script that waits for this. The driver would end only the script. */
    private static final Path DEBIAN_HEADLESS_SHELL = Path.of("/usr/lib/chromium/chromium-headless-shell");

    private ChromeLauncher() {}

    static ChromeDriver launch(Locale language) {
        Optional<Path> binary = Optional.of(DEBIAN_HEADLESS_SHELL)
                .filter(Files::isExecutable)
                .or(() -> Executable.find("chromium", "chromium-browser", "google-chrome"));
        Optional<Path> chromedriver = Executable.find("chromedriver");
        if (binary.isEmpty() || chromedriver.isEmpty()) {
            return Executable.isMissing(NOT_FOUND);
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary.get().toFile());
        options.addArguments(
                "--headless",
                "--accept-lang=" + language.toLanguageTag(),
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--window-size=" + Look.WIDE + ",1000");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.get().toFile())
                .build();
        return new ChromeDriver(service, options);
    }
}
