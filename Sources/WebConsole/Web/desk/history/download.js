// Takes a revision home as an IMDF archive. A link could not send the key.

import { ask } from "../../api.js";
import { h, icon } from "../../ui/element.js";
import { problemLine } from "../problem-words.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

export function downloadButton(desk, number) {
    return h(
        "button", { type: "button", class: "quiet", onclick: (event) => download(desk, number, event.currentTarget) },
        icon("download"), word("desk.history.download"), h("span", { class: "unseen" }, word("desk.revision", { n: number })));
}

async function download(desk, number, button) {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
        const path = `/venues/${encodeURIComponent(desk.key)}/revisions/${number}/archive.zip`;
        // A venue that was deleted and made again has other archives under the same addresses.
        const answer = await ask(path, { signal: desk.signal, cache: "no-cache" });
        const address = URL.createObjectURL(await answer.blob());
        h("a", { href: address, download: `${desk.key}-${number}.zip` }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
        if (!desk.signal.aborted) toast(problemLine(error), "problem");
    }
    button.disabled = false;
    button.removeAttribute("aria-busy");
}
