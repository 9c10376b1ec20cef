// Short messages that come and go. Screen readers hear them; nothing that must be read stands only here.

import { h } from "./element.js";

/** Tells something for a moment. `kind`: "news", "done" or "problem". */
export function toast(text, kind = "news") {
    const note = h("div", { class: `toast ${kind}` }, text);
    document.getElementById("toasts").append(note);
    setTimeout(() => note.remove(), kind === "problem" ? 9_000 : 5_000);
}

/** Tells screen readers alone. */
export function announce(text) {
    let voice = document.getElementById("voice");
    if (!voice) {
        voice = h("div", { id: "voice", class: "unseen", "aria-live": "polite" });
        document.body.append(voice);
    }
    voice.textContent = "";
    requestAnimationFrame(() => { voice.textContent = text; });
}
