package io.github.checktoken.support.page;

/**
 * The page of an authentication flow in the Admin Console: a table with a row for each execution, condition and sub-flow.
 * A row is named by its title, or by the last words of its title.
 */
public final class LabelledFlow {

    /** The third cell, after a handle and the title. */
    private static final String REQUIREMENT = "/*[3]";

    private final LabelledConsole console;

    public LabelledFlow(LabelledConsole console) {
        this.console = console;
    }

    /** Adds an execution at the top level of the flow. */
    public void add(String execution) {
        console.button("Add execution");
        choose(execution);
    }

    /** Adds a sub-flow at the top level of the flow. */
    public void addSubFlow(String name) {
        console.button("Add sub-flow");
        nameSubFlow(name);
    }

    public void addTo(String row, String execution) {
        openPlus(row);
        chooseFromPlus("Add execution", execution);
    }

    public void addConditionTo(String row, String condition) {
        openPlus(row);
        chooseFromPlus("Add condition", condition);
    }

    public void addSubFlowTo(String row, String name) {
        openPlus(row);
        console.menuItem("Add sub-flow");
        nameSubFlow(name);
    }

    /** Opens the menu with what can be added to a row. */
    public void openPlus(String row) {
        console.sign(row(row) + "//button[@aria-label='Add']", "+");
    }

    /** Adds something with the menu that is open. */
    public void chooseFromPlus(String item, String execution) {
        console.menuItem(item);
        choose(execution);
    }

    /** @return the requirement that a row shows */
    public String requirement(String row) {
        return console.text(row(row) + REQUIREMENT);
    }

    public void require(String row, String requirement) {
        requireAt(row(row), requirement);
    }

    /** The same for the first row with this title below another one. */
    public void requireBelow(String upper, String row, String requirement) {
        requireAt(row(upper) + "/following::tr" + titled(row) + "[1]", requirement);
    }

    private void requireAt(String row, String requirement) {
        save(() -> console.option(row + REQUIREMENT + "//button", requirement));
    }

    /** Opens the settings of a row. The gear wheel has no text, but a tooltip. */
    public void openSettings(String row) {
        console.sign(row(row) + "//button[@aria-label='Settings']", "Settings");
    }

    /** Copies a flow in the list of flows, under the name that the console suggests, and waits for the page of the copy. */
    public void duplicate(String flow, String copy) {
        console.kebabItem(flow, "Duplicate");
        expect("Flow successfully duplicated", () -> console.dialogButton("Duplicate"));
        console.awaitTitle(copy);
    }

    /** @param binding for example {@code Browser flow} */
    public void bind(String binding) {
        console.menuItem("Action", "Bind flow");
        if (!console.chosen("Choose binding type").equals(binding)) {
            console.choose("Choose binding type", binding);
        }
        save(() -> console.dialogButton("Save"));
    }

    /** Takes a picture of the page, scrolled to this row. */
    public void picture(String name, String row) {
        console.picture(name, row(row));
    }

    private void choose(String execution) {
        console.radio(execution);
        save(() -> console.dialogButton("Add"));
    }

    private void nameSubFlow(String name) {
        console.fill("Name", name);
        if (!console.chosen("Flow type").equals("Generic")) {
            throw new AssertionError("Generic is not the default");
        }
        save(() -> console.dialogButton("Add"));
    }

    private void save(Runnable action) {
        expect("Flow successfully updated", action);
    }

    private void expect(String expected, Runnable action) {
        String message = console.messageAfter(action);
        if (!message.equals(expected)) {
            throw new AssertionError(message);
        }
    }

    private static String row(String title) {
        return "//main//tr" + titled(title);
    }

    /** The title has a test id of the same words, and beside it the kind of the row and a button for help. */
    private static String titled(String title) {
        String id = "@data-testid";
        String end = " " + title;
        return "[.//*[" + id + "='" + title + "' or substring(" + id + ", string-length(" + id + ") - "
                + (end.length() - 1) + ")='" + end + "']]";
    }
}
