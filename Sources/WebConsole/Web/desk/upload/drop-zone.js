// A drop zone for archives. It contains a file input, for keyboards and screen readers.

import { fill, h, icon } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

// Without this, the browser would leave the page and open a file that is dropped beside the zone.
for (const name of ["dragover", "drop"]) {
    window.addEventListener(name, (event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
}

export function dropZone(onFile) {
    const errorMessage = h("p", { class: "error-message", role: "alert" });
    const input = h("input", {
        type: "file", id: "archive", class: "visually-hidden", accept: ".zip,application/zip,application/octet-stream",
        onchange: () => acceptFiles(input.files),
    });
    const zone = h(
        "div", { class: "drop-zone" },
        icon("upload"),
        h("p", { class: "drop-title" }, localized("desk.drop.title")),
        h("p", { class: "help" }, localized("desk.drop.help")),
        input, h("label", { for: "archive", class: "button quiet" }, localized("desk.drop.pick")),
        errorMessage);
    // `dragenter` and `dragleave` also fire for the elements inside, so they are counted.
    let depth = 0;
    const highlight = (isOver) => zone.classList.toggle("is-over", isOver);
    zone.addEventListener("dragenter", (event) => {
        event.preventDefault();
        highlight((depth += 1) > 0);
    });
    zone.addEventListener("dragleave", () => highlight((depth -= 1) > 0));
    zone.addEventListener("dragover", (event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
    });
    zone.addEventListener("drop", (event) => {
        event.preventDefault();
        highlight(false);
        depth = 0;
        acceptFiles(event.dataTransfer.files);
    });
    return zone;

    async function acceptFiles(files) {
        fill(errorMessage);
        const [file] = files;
        if (!file) return;
        const problem = files.length > 1 ? "desk.drop.one" : await checkFile(file);
        if (problem) {
            fill(errorMessage, localized(problem, { name: file.name }));
            input.value = "";
        } else {
            onFile(file);
        }
    }
}

/** The message key of what is obviously wrong with a file; undefined if nothing is. */
async function checkFile(file) {
    if (file.size === 0) return "desk.drop.empty";
    try {
        const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
        // Zip files begin with "PK".
        return start[0] === 0x50 && start[1] === 0x4b ? undefined : "desk.drop.noZip";
    } catch {
        return "desk.drop.unreadable"; // A folder, or a file that was deleted.
    }
}
