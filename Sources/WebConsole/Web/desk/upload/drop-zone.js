// Where an archive is dropped. Inside is a file field, so that keys and screen readers need no dropping.

import { fill, h, icon } from "../../ui/element.js";
import { word } from "../../words/words.js";

// A file that misses its zone would take the browser to another page, and the reader's work with it.
for (const name of ["dragover", "drop"]) {
    window.addEventListener(name, (event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
}

export function dropZone(onFile) {
    const told = h("p", { class: "told", role: "alert" });
    const input = h("input", {
        type: "file", id: "archive", class: "unseen", accept: ".zip,application/zip,application/octet-stream",
        onchange: () => take(input.files),
    });
    const zone = h(
        "div", { class: "drop-zone" },
        icon("upload"),
        h("p", { class: "drop-title" }, word("desk.drop.title")),
        h("p", { class: "help" }, word("desk.drop.help")),
        input, h("label", { for: "archive", class: "button quiet" }, word("desk.drop.pick")),
        told);
    let depth = 0;
    const over = (isOver) => zone.classList.toggle("is-over", isOver);
    zone.addEventListener("dragenter", (event) => {
        event.preventDefault();
        over((depth += 1) > 0);
    });
    zone.addEventListener("dragleave", () => over((depth -= 1) > 0));
    zone.addEventListener("dragover", (event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
    });
    zone.addEventListener("drop", (event) => {
        event.preventDefault();
        over(false);
        depth = 0;
        take(event.dataTransfer.files);
    });
    return zone;

    async function take(files) {
        fill(told);
        const [file] = files;
        if (!file) return;
        const complaint = files.length > 1 ? "desk.drop.one" : await mistake(file);
        if (complaint) {
            fill(told, word(complaint, { name: file.name }));
            input.value = "";
        } else {
            onFile(file);
        }
    }
}

/** What is wrong with a file at first sight; undefined when nothing is. */
async function mistake(file) {
    if (file.size === 0) return "desk.drop.empty";
    try {
        const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
        return start[0] === 0x50 && start[1] === 0x4b ? undefined : "desk.drop.noZip";
    } catch {
        return "desk.drop.unreadable"; // a folder, or a file that is gone
    }
}
