// The setting `wayfinding`: how fast people walk, and how long lifts take. What is empty has the standard value.

import { h } from "../../ui/element.js";
import { labelled, verbatim } from "../fields.js";
import { numberOf } from "./settings-values.js";
import { numberProblem, objectSetting, withMessage } from "./setting-element.js";
import { formatNumber, localized } from "../../localization/localization.js";

/** The members, with their standard values and ranges (TravelTimes.swift). */
const members = [
    { name: "walk_speed", standard: 1.2, least: 0.2, most: 3 },
    { name: "step_free_speed", standard: 0.8, least: 0.2, most: 3 },
    { name: "elevator_seconds", standard: 90, least: 0, most: 900 },
    { name: "elevator_seconds_per_level", standard: 20, least: 0, most: 300 },
];

export function wayfindingSetting() {
    const numbers = members.map(({ name, standard, least, most }) => {
        const input = h("input", { id: `set-${name}`, maxlength: 20, inputmode: "decimal", ...verbatim });
        const help = localized("desk.settings.standard", { value: formatNumber(standard) });
        return { name, input, least, most, part: { ...withMessage(input, labelled(input, localized(`desk.settings.${name}`), help)), pointer: `/${name}` } };
    });
    return objectSetting("wayfinding", h("div", { class: "setting-numbers" }, numbers.map(({ part }) => part.element)), {
        read() {
            const chosen = numbers.map(({ name, input }) => [name, numberOf(input.value)]).filter(([, value]) => value !== null);
            return chosen.length === 0 ? null : Object.fromEntries(chosen);
        },
        show(value) {
            for (const { name, input } of numbers) input.value = value[name] ?? "";
        },
        parts: () => numbers.map(({ part }) => part),
        problems: () => numbers.map(({ part, input, ...range }) => [part, numberProblem(numberOf(input.value), range)]).filter(([, text]) => text !== null),
    });
}
