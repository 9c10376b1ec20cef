// One change in the list; opened, it tells member by member what was and what is.

import { differences } from "./differences.js";
import { distance, signOf } from "./kinds.js";
import { featureName, typeName } from "../names.js";
import { fill, h } from "../../ui/element.js";
import { formatLength } from "../formats.js";
import { word } from "../../words/words.js";

export function changeEntry(item, levels, onPick) {
    const { change, kind, before, after } = item;
    const place = h("div", { class: "change-body" });
    const names = [featureName(before, change.id), featureName(after, change.id)];
    const name = before && after && names[0] !== names[1] ? `${names[0]} → ${names[1]}` : names[after ? 1 : 0];
    const classes = change.classes.map((name) => word(`desk.class.${name}`)).join(word("desk.comma"));
    return h(
        "details", {
            class: `change diff-is-${kind}`, "data-id": change.id,
            ontoggle: (event) => {
                if (!event.target.open) return;
                if (!place.hasChildNodes()) fill(place, details(item, levels()));
                onPick(change.id);
            },
        },
        h("summary", {},
            h("span", { class: "diff-swatch", "aria-hidden": "true" }, signOf(kind)),
            h("span", { class: "change-name" }, h("span", { class: "unseen" }, `${word(`desk.kind.${kind}`)}: `), name),
            h("span", { class: "change-facts" }, [typeName(change.feature_type), classes].filter(Boolean).join(" · "))),
        place);
}

function details({ change, kind, before, after, from, at }, levels) {
    const metres = kind === "moved" ? distance(from, at) : 0;
    return [
        metres > 0 && h("p", {}, word("desk.changes.distance", { length: formatLength(metres) })),
        h("table", { class: "desk-table fields" },
            h("thead", {}, h("tr", {},
                h("th", { scope: "col" }, word("desk.field.name")),
                before && h("th", { scope: "col" }, word("desk.diff.before")),
                after && h("th", { scope: "col" }, word("desk.diff.after")))),
            h("tbody", {}, differences(before, after, levels).map(({ path, old, now }) => h(
                "tr", {}, h("th", { scope: "row" }, h("code", {}, path)),
                before && h("td", {}, old === undefined ? h("span", { class: "unseen" }, "–") : h("del", {}, old)),
                after && h("td", {}, now === undefined ? "" : h("ins", {}, now)))))),
        h("p", { class: "help" }, h("code", {}, change.id)),
    ];
}
