// The colours of the setting `appearance`: a row for each category or group of the cartography.

import { button, verbatim } from "../fields.js";
import { colourSetting } from "./colour-setting.js";
import { announceInput, withMessage } from "./setting-element.js";
import { contrast, parse } from "../../map/accent.js";
import { groupName, legendGroups } from "../../map/categories.js";
import { pointerOf } from "../../map/editing/changes.js";
import { fill, h, icon } from "../../ui/element.js";
import { localization, localized } from "../../localization/localization.js";

/** The contrast that names need on the colour (WCAG 2.2, 1.4.3). */
const textContrast = 4.5;
let count = 0;

/**
 * `{element, value, parts, problems, usePalette}`. `value` is `{category: colour}`, null for none; it can be set. While a category is missing or
 * repeated, it is a list of `[category, colour]`, so that a draft has every row. The contrast is unknown until `usePalette` gets the palette of
 * the cartography.
 */
export function colourList() {
    let palette = null;
    let rows = [];
    const list = h("ul", { class: "colour-rows" });
    const add = (category, colour) => {
        const row = colourRow(category, colour, () => palette, () => {
            const index = rows.indexOf(row);
            rows = rows.filter((each) => each !== row);
            row.element.remove();
            (rows[index] ?? addButton).focus();
            announceInput(list);
        });
        rows.push(row);
        list.append(row.element);
        return row;
    };
    const addButton = button("quiet", [icon("plus"), localized("desk.settings.colours.add")], () => {
        add("", "").focus();
        announceInput(list);
    });
    return {
        element: h("fieldset", {},
            h("legend", {}, localized("desk.settings.colours")), h("p", { class: "help" }, localized("desk.settings.colours.help")), list,
            h("p", { class: "desk-actions" }, addButton),
            h("datalist", { id: "colour-groups" }, legendGroups.map((group) => h("option", { value: group }, groupName(group, localization.language))))),
        get value() {
            const entries = rows.map(({ category, colour }) => [category, colour.value]);
            const categories = new Set(rows.map(({ category }) => category).filter(Boolean));
            return rows.length === 0 ? null : categories.size === rows.length ? Object.fromEntries(entries) : entries;
        },
        set value(value) {
            rows = [];
            fill(list);
            for (const [category, colour] of Array.isArray(value) ? value : Object.entries(value ?? {})) add(category, colour);
        },
        parts: () => rows.flatMap((row) => {
            const pointer = pointerOf("colours", row.category);
            // The colours were checked here: a colour that the server refuses as a whole is one of a category that it refuses.
            return [{ ...row.part, pointer }, ...row.colour.parts(pointer)];
        }),
        problems: () => rows.flatMap((row, index) => {
            const isRepeated = rows.findIndex(({ category }) => category === row.category) < index;
            const text = row.category === "" ? "desk.settings.category.missing"
                : isRepeated ? "desk.settings.category.repeated" : isCategory(row.category) ? null : "desk.settings.category.invalid";
            return [...(text ? [[row.part, localized(text)]] : []), ...row.colour.problems()];
        }),
        usePalette(loaded) {
            palette = loaded;
            for (const { colour } of rows) colour.update();
        },
    };
}

/** Whether a text can be a category; the server decides the length. */
export const isCategory = (text) => /^[\x21\x23-\x7e]+$/.test(text);

function colourRow(category, value, palette, remove) {
    count += 1;
    const input = h("input", { id: `set-colour-${count}`, list: "colour-groups", maxlength: 100, value: category, ...verbatim });
    const part = withMessage(input, h("div", { class: "field" }, h("label", { for: input.id }, localized("desk.settings.category")), input));
    const group = () => palette()?.[input.value.trim()];
    const colour = colourSetting(input.id, {
        label: () => input.value.trim() || localized("desk.settings.colours"), isRequired: true,
        standard: (isDark) => group()?.[isDark ? "dark" : "light"], assess: (text, isDark) => assess(text, isDark, palette()),
    });
    colour.value = value;
    const removed = h("span", { class: "visually-hidden" });
    const update = () => {
        fill(removed, `: ${input.value.trim() || localized("desk.settings.category")}`);
        colour.update();
    };
    input.addEventListener("input", update);
    update();
    return {
        colour, part, focus: () => input.focus(),
        get category() {
            return input.value.trim();
        },
        element: h("li", { class: "colour-row" }, part.element, colour.element, h(
            "button", { type: "button", class: "quiet", onclick: remove }, localized("desk.settings.remove"), removed)),
    };
}

/** Names in the colour of the map's labels on an area of the colour. */
function assess(colour, isDark, palette) {
    const label = palette?.label?.[isDark ? "dark" : "light"];
    if (!label) return null;
    const ratio = contrast(parse(colour), parse(label));
    return {
        ratio, sample: { background: colour, color: label },
        advice: ratio < textContrast ? localized("desk.settings.colours.weak") : null,
    };
}
