// The settings of a venue as fields: each is `{name, element, value, rebase, show(value), fail(message, pointer), showProblem()}`. `value` is what
// `PATCH` takes; `rebase` is explained in setting-element.js.

import { appearanceSetting } from "./appearance-setting.js";
import { basemapSetting } from "./basemap-setting.js";
import { choice, labelled, verbatim } from "../fields.js";
import { h } from "../../ui/element.js";
import { isSame } from "../../map/editing/changes.js";
import { lines, numberOf } from "./settings-values.js";
import { overridesSetting } from "../overrides/setting.js";
import { numberProblem, texts, withMessage } from "./setting-element.js";
import { wayfindingSetting } from "./wayfinding-setting.js";
import { localized } from "../../localization/localization.js";

/** All settings, in their order on the page. */
export const settingsFields = (desk) => [
    flag("public"), flag("removal_guard"), select("validation", ["report", "strict"]), select("identity", ["repair", "trust"]),
    overrides(),
    field("time_zone", h("input", { list: "time-zones", maxlength: 64, placeholder: "Asia/Tokyo", ...verbatim }), {
        read: (text) => text.trim() || null, write: (value) => value ?? "",
    }),
    field("keep_revisions", h("input", { maxlength: 20, inputmode: "numeric", ...verbatim }), {
        read: numberOf, write: (value) => value ?? "", problem: (value) => numberProblem(value, { least: 1, most: 1e9, isWhole: true }),
    }),
    appearanceSetting(desk),
    field("embed_origins", h("textarea", { rows: 2, placeholder: "https://www.example.com", ...verbatim }), {
        read: lines, write: (value) => (value ?? []).join("\n"),
    }),
    basemapSetting(desk),
    wayfindingSetting(),
];

function flag(name) {
    const input = h("input", { type: "checkbox", id: `set-${name}` });
    return setting(name, input, choice(input, ...texts(name)), {
        read: () => input.checked, show: (value) => { input.checked = value; },
    });
}

function select(name, values) {
    const options = values.map((value) => h("option", { value }, localized(`desk.settings.${name}.${value}`)));
    return field(name, h("select", {}, options), { read: (value) => value, write: (value) => value });
}

function overrides() {
    const state = overridesSetting();
    state.element.id = "set-overrides";
    return setting("overrides", state.element, state.element, {
        read: () => state.value, show: (value) => { state.value = value; },
    });
}

/** A field whose text stands for the value. */
function field(name, input, { read, write, problem }) {
    input.id = `set-${name}`;
    return setting(name, input, labelled(input, ...texts(name)), {
        read: () => read(input.value), show: (value) => { input.value = write(value); }, problem,
    });
}

/** `problem(value)` says what is wrong with a value; of most settings only the server knows. */
function setting(name, input, content, { read, show, problem = () => null }) {
    const { element, fail } = withMessage(input, content);
    /** The value that was shown, and what the input made of it: a value of a newer server, without an input for it, is no change. */
    let [shown, unchanged] = [null, null];
    return {
        name, element, fail, rebase: (value) => value,
        get value() {
            const value = read();
            return isSame(value, unchanged) ? shown : value;
        },
        show(value) {
            show(value);
            [shown, unchanged] = [value, read()];
        },
        /** Shows what is wrong with the value; returns whether anything is. */
        showProblem() {
            const text = problem(read());
            if (text !== null) fail(text);
            return text !== null;
        },
    };
}
