// Adds what the pages of Keycloak 26.5 to 26.7 lack for people who use a screen reader or the keyboard alone.
document.addEventListener("DOMContentLoaded", () => {
    // Labels that do not say which field they belong to.
    const label = (field, found) => {
        if (field && found) {
            found.htmlFor = field.id;
        }
    };
    const username = document.getElementById("kc-attempted-username");
    label(username, document.querySelector("label[for=username]"));
    for (const field of document.querySelectorAll("#totp, #userLabel")) {
        label(field, field.closest(".pf-v5-c-form__group")?.querySelector("label[for=form-vertical-name]"));
    }

    // Keycloak's page for an unknown address has no title.
    document.title ||= document.getElementById("kc-page-title")?.textContent.trim() ?? "";

    // Headings that skip levels below the page's h1.
    for (const heading of document.querySelectorAll("#kc-oauth h3, .kc-recovery-codes-warning h4")) {
        heading.setAttribute("aria-level", "2");
        heading.setAttribute("role", "heading");
    }

    // A button that the Tab key reaches before everything else.
    document.getElementById("kc-logout")?.removeAttribute("tabindex");

    // Elements that look like buttons but react only to the mouse.
    for (const button of document.querySelectorAll("div[onclick]")) {
        button.setAttribute("role", "button");
        button.tabIndex = 0;
        button.addEventListener("keydown", event => {
            if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                button.click();
            }
        });
    }
});
