// The fields of the settings of a venue: each is `{name, element, value, show(value), fail(message)}`. `value` is what `PATCH` takes.

import { choice, labelled, verbatim } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { overridesSetting } from "../overrides/setting.js";
import { localized } from "../../localization/localization.js";

/** All fields, in their order on the page. */
export const settingsFields = () => [
    flag("public"), flag("removal_guard"), select("validation", ["report", "strict"]), select("identity", ["repair", "trust"]),
    overrides(),
    field("time_zone", h("input", { list: "time-zones", maxlength: 64, placeholder: "Asia/Tokyo", ...verbatim }), {
        read: (text) => text.trim() || null, write: (value) => value ?? "",
    }),
    field("keep_revisions", h("input", { type: "number", min: 1, max: 1e9, inputmode: "numeric" }), {
        read: (text) => (text === "" ? null : Number(text)), write: (value) => value ?? "",
    }),
    jsonField("appearance", { rows: 5, maxlength: 16_384, placeholder: '{"colours": {"restaurant": "#ffcc00"}, "hidden": ["parking"]}' }),
    field("embed_origins", h("textarea", { rows: 2, placeholder: "https://www.example.com", ...verbatim }), {
        read: lines, write: (value) => (value ?? []).join("\n"),
    }),
    jsonField("basemap", {
        rows: 3, maxlength: 8_192, placeholder: '{"style": "https://tiles.example.com/style.json", "attribution": "© OpenStreetMap"}',
    }),
    jsonField("wayfinding", { rows: 2, maxlength: 1_024, placeholder: '{"walk_speed": 1.2, "elevator_seconds": 90}' }),
];

/** Whether two values of a setting are the same JSON. The server sorts the members of objects. */
export function isEqual(one, other) {
    const sorted = (_, value) => (value === null || typeof value !== "object" || Array.isArray(value)
        ? value : Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))));
    return JSON.stringify(one ?? null, sorted) === JSON.stringify(other ?? null, sorted);
}

function flag(name) {
    const input = h("input", { type: "checkbox", id: `set-${name}` });
    return member(name, input, choice(input, ...texts(name)), {
        read: () => input.checked, show: (value) => { input.checked = value; },
    });
}

function select(name, values) {
    const options = values.map((value) => h("option", { value }, localized(`desk.settings.${name}.${value}`)));
    return field(name, h("select", {}, options), { read: (value) => value, write: (value) => value });
}

function overrides() {
    const setting = overridesSetting();
    return member("overrides", setting.element, setting.element, {
        read: () => setting.value, show: (value) => { setting.value = value; },
    });
}

const jsonField = (name, attributes) => field(name, h("textarea", { ...attributes, ...verbatim }), {
    read: parsed, write: (value) => (value ? JSON.stringify(value, null, 2) : ""),
});

/** A field whose text stands for the value. */
function field(name, input, { read, write }) {
    input.id = `set-${name}`;
    return member(name, input, labelled(input, ...texts(name)), {
        read: () => read(input.value), show: (value) => { input.value = write(value); },
    });
}

const texts = (name) => [localized(`desk.settings.${name}`), localized(`desk.settings.${name}.help`)];

function member(name, input, content, { read, show }) {
    const id = `set-${name}-error`;
    const message = h("p", { class: "error-message", id });
    return {
        name, element: h("div", { class: "setting" }, content, message), show,
        get value() {
            return read();
        },
        /** Shows what is wrong with the value, and leads there; null removes the message. */
        fail(text) {
            fill(message, text);
            if (text === null) {
                input.removeAttribute("aria-invalid");
                input.removeAttribute("aria-describedby");
                return;
            }
            input.setAttribute("aria-invalid", "true");
            input.setAttribute("aria-describedby", id);
            input.focus();
        },
    };
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
