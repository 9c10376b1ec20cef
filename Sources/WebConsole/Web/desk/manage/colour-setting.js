// A colour of a setting: `"#rrggbb"` for both modes, or `{light, dark}`. Each mode has a picker, a text, a sample and the contrast.

import { choice, verbatim } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { formatOf, localized } from "../../localization/localization.js";
import { withMessage } from "./setting-element.js";

const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text);

/**
 * `{element, value, parts, problems, update}`. `value` can be set; a text that is no colour stays as it is entered, and empty for none.
 * `assess(colour, isDark)` returns `{ratio, sample, advice}` of a colour: the contrast, the custom properties of a sample, and what is to be
 * said beside it; null while nothing is known. `standard(isDark)` is the colour without the setting. `label()` names the inputs together, if
 * nothing around them does.
 */
export function colourSetting(id, { isRequired = false, assess, standard, label }) {
    const light = mode(`${id}-light`);
    const dark = mode(`${id}-dark`);
    const differs = h("input", { type: "checkbox", id: `${id}-differs`, onchange: () => update() });
    const assessment = h("div", { class: "colour-assessment", role: "status" });
    /** The texts of the assessment. */
    let assessed = "";
    const element = h(
        "div", { class: "colour-setting", role: label && "group", oninput: () => update() },
        light.element, choice(differs, localized("desk.settings.colour.differs")), dark.element, assessment);
    update();
    return {
        element, update,
        get value() {
            return differs.checked ? { light: light.text, dark: dark.text } : light.text;
        },
        set value(value) {
            differs.checked = typeof value === "object" && value !== null;
            light.text = differs.checked ? value.light : value ?? "";
            dark.text = differs.checked ? value.dark : "";
            update();
        },
        parts: (pointer) => [{ ...light.part, pointer }, { ...light.part, pointer: `${pointer}/light` }, { ...dark.part, pointer: `${pointer}/dark` }],
        problems() {
            const shown = differs.checked ? [light, dark] : [light];
            const isNone = !isRequired && !differs.checked && light.text === "";
            return isNone ? [] : shown.filter(({ text }) => !isColour(text)).map(({ part }) => [part, localized("desk.settings.colour.invalid")]);
        },
    };

    function update() {
        if (label) element.setAttribute("aria-label", label());
        dark.element.hidden = !differs.checked;
        light.show(differs.checked ? "light" : "both", standard(false));
        dark.show("dark", standard(true));
        const colours = [[light.text, false], [differs.checked ? dark.text : light.text, true]].filter(([colour]) => isColour(colour));
        const lines = colours.map(([colour, isDark]) => line(assess(colour, isDark), isDark)).filter(Boolean);
        const text = lines.map(({ textContent }) => textContent).join("\n");
        // What fills a status is announced, so another sample alone does not.
        if (text !== assessed) fill(assessment, lines);
        else lines.forEach((each, i) => assessment.children[i].firstChild.replaceWith(each.firstChild));
        assessed = text;
    }
}

/** The inputs of one mode. The picker has no empty state: without a text, it shows the standard colour. */
function mode(id) {
    const label = h("label", { for: id });
    const text = h("input", { id, maxlength: 7, placeholder: "#rrggbb", class: "mono", ...verbatim });
    const picker = h("input", {
        type: "color", oninput: () => { text.value = picker.value; },
    });
    const part = withMessage(text, h("div", { class: "colour-inputs" }, label, picker, text));
    return {
        element: part.element, part,
        get text() {
            return text.value.trim();
        },
        set text(value) {
            text.value = value;
        },
        /** `name` says which modes the colour is for. */
        show(name, standard) {
            fill(label, localized(`desk.settings.colour.${name}`));
            picker.setAttribute("aria-label", localized("desk.settings.colour.pick", { label: label.textContent }));
            picker.value = [text.value.trim(), standard].find((each) => each && isColour(each)) ?? "#000000";
        },
    };
}

function line(assessed, isDark) {
    if (!assessed) return null;
    const { ratio, sample, advice } = assessed;
    const text = localized("desk.settings.colour.contrast", {
        mode: localized(isDark ? "desk.settings.colour.dark" : "desk.settings.colour.light"), ratio: ratioText(ratio),
    });
    return h(
        "p", { class: advice ? "help is-weak" : "help" },
        h("span", { class: "colour-sample", style: sample, "aria-hidden": "true" }, "Aa"), h("span", {}, text, advice && [" ", advice]));
}

/** Rounded down: what is below a threshold must not be shown as if it reached it. */
const ratioText = (ratio) => formatOf(Intl.NumberFormat, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.floor(ratio * 10) / 10);
