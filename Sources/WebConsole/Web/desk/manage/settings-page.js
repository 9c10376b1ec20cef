// The settings of a venue, pruning, and deletion.

import { requestJSON } from "../../api.js";
import { choice, labelled, verbatim } from "../fields.js";
import { deletion } from "./deletion.js";
import { fill, h } from "../../ui/element.js";
import { confirmKeeping, pruning } from "./pruning.js";
import { overridesSetting } from "../overrides/setting.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

export async function show(desk) {
    fill(desk.root, settingsForm(desk), pruning(desk), deletion(desk));
}

function settingsForm(desk) {
    const { settings } = desk.venue;
    const flag = (name) => h("input", { type: "checkbox", id: `set-${name}`, checked: settings[name] });
    const select = (name, values) => h("select", { id: `set-${name}` }, values.map((value) => h(
        "option", { value, selected: settings[name] === value }, localized(`desk.settings.${name}.${value}`))));
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
        overrides: overridesSetting(settings.overrides),
        appearance: h("textarea", {
            id: "set-appearance", rows: 5, maxlength: 16_384, value: settings.appearance ? JSON.stringify(settings.appearance, null, 2) : "",
            placeholder: '{"colours": {"restaurant": "#ffcc00"}, "hidden": ["parking"]}', ...verbatim,
        }),
        embed_origins: h("textarea", {
            id: "set-embed_origins", rows: 2, value: (settings.embed_origins ?? []).join("\n"), placeholder: "https://www.example.com", ...verbatim,
        }),
        basemap: h("textarea", {
            id: "set-basemap", rows: 3, maxlength: 8_192, value: settings.basemap ? JSON.stringify(settings.basemap, null, 2) : "",
            placeholder: '{"style": "https://tiles.example.com/style.json", "attribution": "© OpenStreetMap"}', ...verbatim,
        }),
    };
    const read = () => ({
        public: fields.public.checked, removal_guard: fields.removal_guard.checked,
        validation: fields.validation.value, identity: fields.identity.value,
        time_zone: fields.time_zone.value.trim() || null,
        keep_revisions: fields.keep_revisions.value === "" ? null : Number(fields.keep_revisions.value),
        overrides: fields.overrides.value,
        appearance: parsed(fields.appearance.value),
        embed_origins: lines(fields.embed_origins.value),
        basemap: parsed(fields.basemap.value),
    });
    const errorMessage = h("p", { class: "error-message", role: "alert" });
    const button = h("button", { class: "primary", disabled: true }, localized("desk.settings.save"));
    const publicNotice = h("p", { class: "notice", hidden: true }, localized("desk.settings.publicNotice"));
    const form = h(
        "form", {
            class: "desk-section settings",
            oninput: () => updateForm(),
            onsubmit: async (event) => {
                event.preventDefault();
                fill(errorMessage);
                button.disabled = true;
                // Changes that are made while a dialog is open are not sent now.
                const changes = changedSettings();
                try {
                    const { keep_revisions: keep } = changes;
                    if (keep && !(await confirmKeeping(desk, keep))) {
                        updateForm();
                        return;
                    }
                    const venue = await requestJSON(`/venues/${encodeURIComponent(desk.venueKey)}`, { method: "PATCH", json: changes });
                    desk.venue = { ...desk.venue, public: venue.public, settings: venue.settings };
                    toast(localized("desk.settings.saved"), "done");
                } catch (error) {
                    fill(errorMessage, problemLine(error));
                }
                updateForm();
            },
        },
        h("h2", {}, localized("desk.settings.title")),
        localizedField(choice, "public", fields), publicNotice, localizedField(choice, "removal_guard", fields),
        ["validation", "identity"].map((name) => localizedField(labelled, name, fields)), fields.overrides.element,
        ["time_zone", "keep_revisions", "appearance", "embed_origins", "basemap"].map((name) => localizedField(labelled, name, fields)),
        h("datalist", { id: "time-zones" }, timeZones.map((value) => h("option", { value }))),
        errorMessage, h("p", { class: "desk-actions" }, button));
    return form;

    function updateForm() {
        button.disabled = Object.keys(changedSettings()).length === 0;
        publicNotice.hidden = !(fields.public.checked && !desk.venue.settings.public);
    }

    /** Only changed settings are sent, because others may have been changed elsewhere in the meantime. */
    function changedSettings() {
        return Object.fromEntries(Object.entries(read()).filter(([name, value]) => !isEqual(value, desk.venue.settings[name])));
    }
}

/** The value of a text with JSON; null for none. A text that is not JSON is sent as it is, and the server says what is wrong. */
function parsed(text) {
    try {
        return text.trim() === "" ? null : JSON.parse(text);
    } catch {
        return text;
    }
}

/** The lines of a text as a list; null for none. */
function lines(text) {
    const values = text.split(/\s+/).filter((line) => line !== "");
    return values.length === 0 ? null : values;
}

/** Whether two values of a setting are the same JSON. The server sorts the members of objects. */
function isEqual(one, other) {
    const sorted = (_, value) => (value === null || typeof value !== "object" || Array.isArray(value)
        ? value : Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))));
    return JSON.stringify(one, sorted) === JSON.stringify(other ?? null, sorted);
}

/** The time zones that the browser knows, as suggestions. */
const timeZones = Intl.supportedValuesOf?.("timeZone") ?? [];

/** A field with the label and help text of a setting. `make` is `choice` or `labelled`. */
const localizedField = (make, name, fields) =>
    make(fields[name], localized(`desk.settings.${name}`), localized(`desk.settings.${name}.help`));
