// Toasts: messages that disappear by themselves. Screen readers announce them. Never show essential information only here.

import { h } from "./element.js";
import { withNames, withForeignNames } from "./names.js";

/** How long a toast with an action is shown, in milliseconds, once neither the pointer nor the focus is in it. */
const actionTime = 20_000;

/**
 * Shows a toast for some seconds. Names in `text` are isolated (`names.js`). `kind` is "info", "done" or "problem". `action` is a button, `{label, description, act}`, that ends the
 * toast; the description is added to its label for screen readers.
 */
export function toast(text, kind = "info", action = null) {
    const element = h("div", { class: `toast ${kind}` }, h("span", {}, kind === "problem" ? withForeignNames(text) : withNames(text)));
    document.getElementById("toasts").append(element);
    if (!action) return setTimeout(() => element.remove(), kind === "problem" ? 9_000 : 5_000);
    const button = h("button", {
        type: "button", onclick: () => {
            element.remove();
            action.act();
        },
    }, action.label, h("span", { class: "visually-hidden" }, ` – ${action.description}`));
    element.append(button);
    const isInUse = () => element.matches(":hover, :focus-within");
    const end = () => (isInUse() ? setTimeout(end, 2_000) : element.remove());
    return setTimeout(end, actionTime);
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
