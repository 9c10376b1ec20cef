// Toasts: messages that disappear by themselves. Screen readers announce them. Never show essential information only here.

import { h } from "./element.js";

/** Shows a toast for some seconds. `kind` is "info", "done" or "problem". */
export function toast(text, kind = "info") {
    const element = h("div", { class: `toast ${kind}` }, text);
    document.getElementById("toasts").append(element);
    setTimeout(() => element.remove(), kind === "problem" ? 9_000 : 5_000);
}

/** Announces a text to screen readers without showing it. */
export function announce(text) {
    let region = document.getElementById("live-region");
    if (!region) {
        region = h("div", { id: "live-region", class: "visually-hidden", "aria-live": "polite" });
        document.body.append(region);
    }
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = text; });
}
