package io.github.checktoken.introspection.dataprovider;

/**
 * A setting with a value that is not supported.
 *
 * @param value made safe for logs and cut, because an import can contain anything, of any length
 */
public record UnsupportedSetting(String setting, String value) {

    /** For events and logs. */
    @Override
    public String toString() {
        return setting + " is not supported: " + value;
    }
}
