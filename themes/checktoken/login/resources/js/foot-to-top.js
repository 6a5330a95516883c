// Moves the help about security keys and passkeys, and the name of the service, from the foot of the page to its top.
document.addEventListener("DOMContentLoaded", () => {
    const help = document.getElementById("key-help");
    const form = document.getElementById("kc-form-webauthn") ?? document.getElementById("register");
    if (help && form) {
        form.parentElement.insertBefore(help, form);
    }
    const service = document.getElementById("service");
    if (service) {
        document.getElementById("kc-page-title")?.parentElement.after(service);
    }
});
