// The setting `wayfinding`: how fast people walk, and how long lifts take. What is empty has the standard value.

import { h } from "../../ui/element.js";
import { labelled } from "../fields.js";
import { objectSetting, withMessage } from "./setting-element.js";
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
        const input = h("input", {
            id: `set-${name}`, type: "number", step: "any", min: least, max: most, placeholder: String(standard), inputmode: "decimal",
        });
        return { name, input, least, most, part: { ...withMessage(input, labelled(input, localized(`desk.settings.${name}`))), pointer: `/${name}` } };
    });
    return objectSetting("wayfinding", h("div", { class: "setting-numbers" }, numbers.map(({ part }) => part.element)), {
        read() {
            const chosen = numbers.filter(({ input }) => input.value !== "");
            return chosen.length === 0 ? null : Object.fromEntries(chosen.map(({ name, input }) => [name, Number(input.value)]));
        },
        show(value) {
            for (const { name, input } of numbers) input.value = value[name] ?? "";
        },
        parts: () => numbers.map(({ part }) => part),
        problems: () => numbers.filter(({ input, least, most }) =>
            input.validity?.badInput || (input.value !== "" && !(Number(input.value) >= least && Number(input.value) <= most)))
            .map(({ part, least, most }) => [part, localized("desk.settings.number.invalid", { least: formatNumber(least), most: formatNumber(most) })]),
    });
}
