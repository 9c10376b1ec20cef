// Downloads a revision as an IMDF archive. A plain link could not send the key.

import { request } from "../../api.js";
import { h, icon } from "../../ui/element.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

export function downloadButton(desk, number) {
    return h(
        "button", { type: "button", class: "quiet", onclick: (event) => download(desk, number, event.currentTarget) },
        icon("download"), localized("desk.history.download"),
        h("span", { class: "visually-hidden" }, localized("desk.revision", { n: number })));
}

async function download(desk, number, button) {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
        const path = `/venues/${encodeURIComponent(desk.venueKey)}/revisions/${number}/archive.zip`;
        // Not from the cache: a venue that was deleted and created again has other archives at the same URLs.
        const response = await request(path, { signal: desk.signal, cache: "no-cache" });
        const url = URL.createObjectURL(await response.blob());
        h("a", { href: url, download: `${desk.venueKey}-${number}.zip` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
        if (!desk.signal.aborted) toast(problemLine(error), "problem");
    }
    button.disabled = false;
    button.removeAttribute("aria-busy");
}
