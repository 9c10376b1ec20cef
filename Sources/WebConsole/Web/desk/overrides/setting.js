// The setting `overrides`: what an upload does that contradicts edits. Each value is explained.

import { choice } from "../fields.js";
import { h } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

const values = ["keep", "ask", "yield"];

/** `{element, value}`; the value can be set. */
export function overridesSetting() {
    const inputs = values.map((value) => h("input", {
        type: "radio", name: "overrides", id: `set-overrides-${value}`, value,
    }));
    return {
        element: h("fieldset", {},
            h("legend", {}, localized("desk.settings.overrides")),
            inputs.map((input) => choice(
                input, localized(`desk.settings.overrides.${input.value}`), localized(`desk.settings.overrides.${input.value}.help`)))),
        get value() {
            return inputs.find((input) => input.checked)?.value;
        },
        set value(current) {
            for (const input of inputs) input.checked = input.value === current;
        },
    };
}
