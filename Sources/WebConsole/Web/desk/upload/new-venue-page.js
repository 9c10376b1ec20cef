// A venue that is not there yet: its key, and the archive that makes it.

import { archiveForm } from "./archive-form.js";
import { askAllVenues } from "../../api.js";
import { verbatim } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { isId } from "../names.js";
import { outbox } from "./outbox.js";
import { sendingList } from "./sendings.js";
import { word } from "../../words/words.js";

/** Groups of letters, digits and hyphens with single dots between them; never what looks like a feature's id. */
const right = /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

export async function show(desk) {
    const venues = await askAllVenues({ signal: desk.signal });
    const taken = new Set(venues.map(({ venue }) => venue));
    const told = h("p", { class: "told", role: "alert" });
    const field = h("input", {
        id: "new-key", name: "key", placeholder: "mall", ...verbatim,
        "aria-describedby": "new-key-help", oninput: () => fill(told, complaint() ?? ""),
    });
    const key = () => field.value.trim();
    const complaint = () => {
        if (key() === "") return undefined;
        if (!right.test(key()) || isId(key())) return word("desk.new.wrong");
        return taken.has(key()) ? word("desk.new.taken", { key: key() }) : undefined;
    };
    const form = archiveForm({
        head: () => 0,
        onSend: (file, options) => {
            const wrong = key() === "" ? word("desk.new.missing") : complaint();
            if (wrong) {
                field.focus();
                throw new Error(wrong);
            }
            return outbox.add(key(), file, options);
        },
    });
    fill(desk.root,
        h("h1", {}, word("desk.new.title")),
        h("section", { class: "desk-section" },
            h("div", { class: "field" },
                h("label", { for: "new-key" }, word("desk.new.key")), field,
                h("p", { class: "help", id: "new-key-help" }, word("desk.new.keyHelp")), told),
            form, sendingList(() => true, desk.signal)));
    field.focus();
}
