// Most people of a federation come for an identity provider: these go before the form, for the eye, the Tab key and
// a screen reader alike, which a style sheet cannot do. Without JavaScript they stay after it.
document.addEventListener("DOMContentLoaded", () => {
    const providers = document.getElementById("kc-social-providers");
    if (providers) {
        document.getElementById("kc-form")?.before(providers, providers.previousElementSibling);
    }
});
