// A change in the list. When opened, it shows the old and new values of the changed members.

import { differences } from "./differences.js";
import { distance, symbolOf } from "./kinds.js";
import { featureName, typeName } from "../names.js";
import { fill, h } from "../../ui/element.js";
import { formatLength } from "../formats.js";
import { localized } from "../../localization/localization.js";

export function changeEntry(item, levels, onPick) {
    const { change, kind, before, after } = item;
    const body = h("div", { class: "change-body" });
    const names = [featureName(before, change.id), featureName(after, change.id)];
    const element = (name) => h("bdi", {}, name);
    const name = before && after && names[0] !== names[1] ? [element(names[0]), " → ", element(names[1])] : element(names[after ? 1 : 0]);
    const classes = change.classes.map((name) => localized(`desk.class.${name}`)).join(localized("desk.comma"));
    return h(
        "details", {
            class: `change diff-is-${kind}`, "data-id": change.id,
            ontoggle: (event) => {
                if (!event.target.open) return;
                if (!body.hasChildNodes()) fill(body, details(item, levels()));
                onPick(change.id);
            },
        },
        h("summary", {},
            h("span", { class: "diff-swatch", "aria-hidden": "true" }, symbolOf(kind)),
            h("span", { class: "change-name" }, h("span", { class: "visually-hidden" }, `${localized(`desk.kind.${kind}`)}: `), name),
            h("span", { class: "change-facts" }, [typeName(change.feature_type), classes].filter(Boolean).join(" · "))),
        body);
}

function details({ change, kind, before, after, from, at, isShifted }, levels) {
    // The sentence about the floor says that it moved.
    const isOwn = ({ path }) => !isShifted || kind === "moved" || (path !== "geometry" && !path.endsWith("display_point"));
    const metres = kind === "moved" ? distance(from, at) : 0;
    return [
        metres > 0 && h("p", {}, localized("desk.changes.distance", { length: formatLength(metres) })),
        h("table", { class: "desk-table fields" },
            h("thead", {}, h("tr", {},
                h("th", { scope: "col" }, localized("desk.field.name")),
                before && h("th", { scope: "col" }, localized("desk.diff.before")),
                after && h("th", { scope: "col" }, localized("desk.diff.after")))),
            h("tbody", {}, differences(before, after, levels).filter(isOwn).map(({ path, old, current }) => h(
                "tr", {}, h("th", { scope: "row" }, h("code", {}, path)),
                before && h("td", {}, old === undefined ? h("span", { class: "visually-hidden" }, "–") : h("del", {}, old)),
                after && h("td", {}, current === undefined ? "" : h("ins", {}, current)))))),
        h("p", { class: "help" }, h("code", {}, change.id)),
    ];
}
