// Moves the identity providers before the form, because most people of a federation use one. A style sheet would move
// them only for the eye; this moves them for the Tab key and screen readers too. Without JavaScript they stay after it.
document.addEventListener("DOMContentLoaded", () => {
    const providers = document.getElementById("kc-social-providers");
    if (providers) {
        document.getElementById("kc-form")?.before(providers, providers.previousElementSibling);
    }
});
