// A venue's settings, and its deletion.

import { askJSON } from "../../api.js";
import { choice, labelled, verbatim } from "../fields.js";
import { deletion } from "./deletion.js";
import { fill, h } from "../../ui/element.js";
import { agreesToKeep, pruning } from "./pruning.js";
import { problemLine } from "../problem-words.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

export async function show(desk) {
    fill(desk.root, settingsForm(desk), pruning(desk), deletion(desk));
}

function settingsForm(desk) {
    const { settings } = desk.venue;
    const flag = (name) => h("input", { type: "checkbox", id: `set-${name}`, checked: settings[name] });
    const select = (name, values) => h("select", { id: `set-${name}` }, values.map((value) => h(
        "option", { value, selected: settings[name] === value }, word(`desk.settings.${name}.${value}`))));
    const fields = {
        public: flag("public"),
        removal_guard: flag("removal_guard"),
        validation: select("validation", ["report", "strict"]),
        identity: select("identity", ["repair", "trust"]),
        time_zone: h("input", {
            id: "set-time_zone", value: settings.time_zone ?? "", list: "time-zones", maxlength: 64,
            placeholder: "Asia/Tokyo", ...verbatim,
        }),
        keep_revisions: h("input", {
            id: "set-keep_revisions", type: "number", min: 1, max: 1e9, value: settings.keep_revisions ?? "", inputmode: "numeric",
        }),
    };
    const read = () => ({
        public: fields.public.checked, removal_guard: fields.removal_guard.checked,
        validation: fields.validation.value, identity: fields.identity.value,
        time_zone: fields.time_zone.value.trim() || null,
        keep_revisions: fields.keep_revisions.value === "" ? null : Number(fields.keep_revisions.value),
    });
    const told = h("p", { class: "told", role: "alert" });
    const button = h("button", { class: "primary", disabled: true }, word("desk.settings.save"));
    const note = h("p", { class: "notice", hidden: true }, word("desk.settings.publicNotice"));
    const form = h(
        "form", {
            class: "desk-section settings",
            oninput: () => adapt(),
            onsubmit: async (event) => {
                event.preventDefault();
                fill(told);
                button.disabled = true;
                // Fields that are edited while questions are asked wait for the next time.
                const wish = changed();
                try {
                    const { keep_revisions: keep } = wish;
                    if (keep && !(await agreesToKeep(desk, keep))) {
                        adapt();
                        return;
                    }
                    const venue = await askJSON(`/venues/${encodeURIComponent(desk.key)}`, { method: "PATCH", json: wish });
                    desk.venue = { ...desk.venue, public: venue.public, settings: venue.settings };
                    toast(word("desk.settings.saved"), "done");
                } catch (error) {
                    fill(told, problemLine(error));
                }
                adapt();
            },
        },
        h("h2", {}, word("desk.settings.title")),
        worded(choice, "public", fields), note, worded(choice, "removal_guard", fields),
        ["validation", "identity", "time_zone", "keep_revisions"].map((name) => worded(labelled, name, fields)),
        h("datalist", { id: "time-zones" }, zones.map((value) => h("option", { value }))),
        told, h("p", { class: "desk-actions" }, button));
    return form;

    function adapt() {
        button.disabled = Object.keys(changed()).length === 0;
        note.hidden = !(fields.public.checked && !desk.venue.settings.public);
    }

    /** Only what was changed here is sent: somebody else may have changed the rest. */
    function changed() {
        return Object.fromEntries(Object.entries(read()).filter(([name, value]) => value !== desk.venue.settings[name]));
    }
}

/** Time zones that the browser knows; others may be typed. */
const zones = Intl.supportedValuesOf?.("timeZone") ?? [];

const worded = (make, name, fields) => make(fields[name], word(`desk.settings.${name}`), word(`desk.settings.${name}.help`));
