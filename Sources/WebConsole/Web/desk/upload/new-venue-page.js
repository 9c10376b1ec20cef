// Creates a venue: its key, and its first archive.

import { archiveForm } from "./archive-form.js";
import { requestAllVenues } from "../../api.js";
import { verbatim } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { isId } from "../names.js";
import { transfers } from "./transfers.js";
import { transferList } from "./transfer-list.js";
import { localized } from "../../localization/localization.js";

/** A valid venue key: groups of letters, digits and hyphens, separated by single dots. A UUID is not allowed. */
const venueKeyPattern = /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

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
            return transfers.add(key(), file, options);
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
