// Names of the parts of a feature, and their values as text.

import { categoryName } from "./categories.js";
import { labelText } from "../labels.js";
import { openState } from "../hours-view.js";
import { PlaceHours } from "../place-hours.js";
import { tokensOf } from "./changes.js";
import { localization, localized } from "../../localization/localization.js";

const known = new Set(["name", "alt_name", "short_name", "category", "hours", "phone", "website", "display_point", "accessibility", "restriction"]);

/** The name of the part of a feature that a pointer leads to, such as "Name (Japanese)". */
export function partName(pointer) {
    const [first, property, language] = tokensOf(pointer);
    if (first === undefined) return localized("edit.part.existence");
    if (first === "geometry") return localized("edit.part.geometry");
    const name = known.has(property) ? localized(`edit.field.${property}`) : property;
    return language === undefined ? name : localized("edit.part.language", { name, language: languageName(language) });
}

function languageName(tag) {
    try {
        return new Intl.DisplayNames(localization.language, { type: "language" }).of(tag);
    } catch {
        return tag;
    }
}

/** A value as text for a person. With the time zone of the venue, opening hours that are closed on certain dates now say until when. */
export function valueText(pointer, value, { timeZone = null } = {}) {
    if (value === undefined || value === null || value === "") return localized("edit.value.none");
    if (pointer === "") return labelText(value.properties?.name) ?? localized("edit.value.exists");
    if (pointer === "/properties/hours" && value === "off") return localized("edit.value.closed");
    if (pointer === "/properties/category" && typeof value === "string") return categoryName(value);
    if (typeof value === "string") return (pointer === "/properties/hours" && timeZone && closureText(value, timeZone)) || value;
    if (isGeometry(value)) return geometryText(value);
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
    const texts = typeof value === "object" ? Object.entries(value) : [];
    if (texts.length > 0 && texts.every(([, text]) => typeof text === "string")) return texts.map(([tag, text]) => `${tag}: ${text}`).join(" · ");
    return JSON.stringify(value);
}

/** Until when opening hours are closed on certain dates; null if they are not, or for longer than is looked ahead. */
function closureText(text, timeZone) {
    const hours = new PlaceHours(text, timeZone);
    const { isForDates, next } = hours.state();
    return isForDates && next ? openState({ hours }).text : null;
}

/** A value in quotation marks, shortened, to be part of a sentence. */
export function shortText(pointer, value) {
    const text = valueText(pointer, value);
    if (value === undefined || value === null || value === "") return text;
    return localized("edit.value.quoted", { text: text.length > 60 ? `${text.slice(0, 60)}…` : text });
}

const isGeometry = (value) => typeof value?.type === "string" && "coordinates" in value;

function geometryText({ type, coordinates }) {
    if (type === "Point" && coordinates?.length >= 2) return `${coordinates[1].toFixed(6)}, ${coordinates[0].toFixed(6)}`;
    return localized("edit.value.geometry", { type, n: (JSON.stringify(coordinates).match(/\[-?\d/g) ?? []).length });
}
