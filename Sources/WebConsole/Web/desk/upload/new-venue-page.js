// Creates a venue: its key, and its first archive.

import { archiveForm } from "./archive-form.js";
import { requestAllVenues, requestJSON } from "../../api.js";
import { verbatim } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { isId } from "../names.js";
import { uploadURL } from "./upload-entry.js";
import { transfers } from "./transfers.js";
import { transferList } from "./transfer-list.js";
import { localized } from "../../localization/localization.js";

/** A valid venue key: groups of letters, digits and hyphens, separated by single dots. A UUID is not allowed. */
const venueKeyPattern = /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** The states of an upload that may still become a revision, in the order in which it has them. */
const unfinished = ["received", "processing", "staged"];

/** Starts the transfer, unless another first upload of the venue is processed, or waits for a decision already. */
async function send(key, file, options) {
    const other = await unfinishedUpload(key);
    if (!other) return transfers.add(key, file, options);
    const text = localized(other.state === "staged" ? "desk.new.waiting" : "desk.new.processing", { key });
    throw Object.assign(new Error(text), { link: { href: uploadURL(other), label: localized("desk.new.review") } });
}

/** An upload of the venue in one of these states; null if there is none, or no such venue. */
async function unfinishedUpload(key) {
    const path = `/venues/${encodeURIComponent(key)}/uploads?limit=1`;
    try {
        // One after the other: an upload that changes its state meanwhile is found in the next one.
        for (const state of unfinished) {
            const { uploads: [upload] } = await requestJSON(`${path}&state=${state}`);
            if (upload) return upload;
        }
        return null;
    } catch (error) {
        if ([403, 404, 410].includes(error.status)) return null;
        throw error;
    }
}

export async function show(desk) {
    const venues = await requestAllVenues({ signal: desk.signal });
    const taken = new Set(venues.map(({ venue }) => venue));
    const errorMessage = h("p", { class: "error-message", role: "alert" });
    const field = h("input", {
        id: "new-key", name: "key", placeholder: "mall", ...verbatim,
        "aria-describedby": "new-key-help", oninput: () => fill(errorMessage, validate() ?? ""),
    });
    const key = () => field.value.trim();
    const validate = () => {
        if (key() === "") return undefined;
        if (!venueKeyPattern.test(key()) || isId(key())) return localized("desk.new.wrong");
        return taken.has(key()) ? localized("desk.new.taken", { key: key() }) : undefined;
    };
    const form = archiveForm({
        head: () => 0,
        onSend: (file, options) => {
            const problem = key() === "" ? localized("desk.new.missing") : validate();
            if (problem) {
                field.focus();
                throw new Error(problem);
            }
            return send(key(), file, options);
        },
    });
    fill(desk.root,
        h("h1", {}, localized("desk.new.title")),
        h("section", { class: "desk-section" },
            h("div", { class: "field" },
                h("label", { for: "new-key" }, localized("desk.new.key")), field,
                h("p", { class: "help", id: "new-key-help" }, localized("desk.new.keyHelp")), errorMessage),
            form, transferList(() => true, desk.signal)));
    field.focus();
}
