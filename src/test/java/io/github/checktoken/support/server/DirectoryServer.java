package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.BasicAttributes;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;

/**
 * Runs the OpenLDAP server that is installed on this machine ({@code apt-get install slapd}) on a free port, with a few
 * people whose password is {@code demo-password}.
 */
public final class DirectoryServer implements AutoCloseable {

    private static final String SUFFIX = "dc=example,dc=org";
    private static final String PEOPLE = "ou=people," + SUFFIX;
    private static final String ADMIN = "cn=admin," + SUFFIX;
    public static final String ADMIN_PASSWORD = "directory-admin-password";

    private final Path folder;
    private final int port;
    private Process process;

    /** @param people the values of {@code uid} */
    public DirectoryServer(List<String> people) throws IOException {
        folder = Files.createTempDirectory("checktoken-slapd-");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(configuration(), """
                include /etc/ldap/schema/core.schema
                include /etc/ldap/schema/cosine.schema
                include /etc/ldap/schema/inetorgperson.schema
                modulepath /usr/lib/ldap
                moduleload back_mdb
                database mdb
                suffix "%s"
                rootdn "%s"
                rootpw %s
                directory %s
                """.formatted(SUFFIX, ADMIN, ADMIN_PASSWORD, folder.resolve("data")));
        Path root = Files.writeString(folder.resolve("root.ldif"), """
                dn: %s
                objectClass: organization
                objectClass: dcObject
                o: example
                dc: example

                dn: ou=people,%1$s
                objectClass: organizationalUnit
                ou: people
                """.formatted(SUFFIX));
        run("slapadd", "-f", "" + configuration(), "-l", "" + root);
        start();
        people.forEach(person -> add(person, "Moreau"));
    }

    /** Adds the entry of a person with this name and surname, and with an address of this name. */
    public void add(String person, String surname) {
        BasicAttributes entry = new BasicAttributes("objectClass", "inetOrgPerson");
        entry.put("uid", person);
        entry.put("cn", "Camille");
        entry.put("givenName", "Camille");
        entry.put("sn", surname);
        entry.put("mail", person + "@example.org");
        entry.put("userPassword", "demo-password");
        change(directory -> directory.createSubcontext(dn(person), entry).close());
    }

    public void remove(String person) {
        change(directory -> directory.destroySubcontext(dn(person)));
    }

    /** The entry stays the same, and so does its {@code entryUUID}. */
    public void rename(String person, String name) {
        change(directory -> directory.rename(dn(person), dn(name)));
    }

    private static String dn(String person) {
        return "uid=" + person + "," + PEOPLE;
    }

    private void change(Change change) {
        try {
            DirContext directory = new InitialDirContext(new Hashtable<>(Map.of(
                    Context.INITIAL_CONTEXT_FACTORY,
                    "com.sun.jndi.ldap.LdapCtxFactory",
                    Context.PROVIDER_URL,
                    url(),
                    Context.SECURITY_PRINCIPAL,
                    ADMIN,
                    Context.SECURITY_CREDENTIALS,
                    ADMIN_PASSWORD)));
            try {
                change.in(directory);
            } finally {
                directory.close();
            }
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A change that an administrator of the directory makes. */
    private interface Change {
        void in(DirContext directory) throws NamingException;
    }

    private String url() {
        return "ldap://127.0.0.1:" + port;
    }

    /** The settings of a user storage provider {@code ldap} for this directory, which gives up after two seconds. */
    public Map<String, List<String>> settings(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.ofEntries(
                Map.entry("enabled", "true"),
                Map.entry("vendor", "other"),
                Map.entry("editMode", "READ_ONLY"),
                Map.entry("importEnabled", "true"),
                Map.entry("cachePolicy", "NO_CACHE"),
                Map.entry("connectionUrl", url()),
                Map.entry("authType", "simple"),
                Map.entry("bindDn", ADMIN),
                Map.entry("bindCredential", ADMIN_PASSWORD),
                Map.entry("usersDn", PEOPLE),
                Map.entry("usernameLDAPAttribute", "uid"),
                Map.entry("rdnLDAPAttribute", "uid"),
                Map.entry("uuidLDAPAttribute", "entryUUID"),
                Map.entry("userObjectClasses", "inetOrgPerson"),
                Map.entry("connectionTimeout", "2000"),
                Map.entry("readTimeout", "2000")));
        settings.putAll(more);
        Map<String, List<String>> lists = new TreeMap<>();
        settings.forEach((name, value) -> lists.put(name, List.of(value)));
        return lists;
    }

    public void start() throws IOException {
        process = new ProcessBuilder("slapd", "-f", "" + configuration(), "-h", url(), "-d", "0")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        for (int i = 0; i < 100 && !isListening(); i++) {
            sleep();
        }
    }

    /** Stops the server at once. */
    public void stop() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Connections stay open, and new ones are accepted, but nothing answers. */
    public void suspend() throws IOException {
        run("kill", "-STOP", "" + process.pid());
    }

    public void resume() throws IOException {
        run("kill", "-CONT", "" + process.pid());
    }

    @Override
    public void close() {
        stop();
    }

    private Path configuration() {
        return folder.resolve("slapd.conf");
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(String... command) throws IOException {
        Path output = folder.resolve("output");
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (run.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(command[0] + ": " + Files.readString(output));
        }
    }
}
