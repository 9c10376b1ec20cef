// The list of the changes of a level, with the legend of the map, which also filters the list.

import { EntryRows } from "./entry-rows.js";
import { featureName, typeName } from "../names.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { kinds } from "./kinds.js";
import { ShiftEntry } from "./shift-entry.js";
import { localized } from "../../localization/localization.js";

export function changeList({ levels, onPick, onShow }) {
    const hiddenKinds = new Set();
    const legend = h("div", { class: "desk-chips", role: "group", "aria-label": localized("desk.diff.legend") });
    const rows = new EntryRows(levels, onPick);
    const shiftEntry = new ShiftEntry(levels, onPick);
    const types = h("select", { id: "change-type", onchange: () => restart() });
    let all = [];
    let shift = null;

    const restart = () => {
        const matching = all.filter((item) => !hiddenKinds.has(item.kind) && (!types.value || item.change.feature_type === types.value));
        shiftEntry.draw(shift, matching.filter((item) => item.isFolded));
        rows.draw(matching.filter((item) => !item.isFolded), matching.length === 0 && localized("desk.changes.filtered"));
    };

    return {
        element: h(
            "div", { class: "change-pane" }, legend,
            h("p", { class: "desk-filter" }, h("label", { for: "change-type" }, localized("desk.changes.type")), types),
            shiftEntry.element, rows.elements),
        draw(scene) {
            all = [...scene.items].sort(compare);
            shift = scene.shift;
            fill(legend, kinds.map(({ kind, symbol }) => legendChip(kind, symbol, all.filter((item) => item.kind === kind).length)));
            const presentTypes = [...new Set(all.map((item) => item.change.feature_type))].sort();
            fill(types,
                h("option", { value: "" }, localized("desk.changes.allTypes")),
                presentTypes.map((type) => h("option", { value: type }, typeName(type))));
            restart();
        },
        /** Opens the entry of a change that was selected on the map. */
        open(id) {
            if (!rows.open(id)) shiftEntry.open(id);
        },
    };

    function legendChip(kind, symbol, size) {
        return h(
            "button", {
                type: "button", class: `chip diff-chip diff-is-${kind}`, disabled: size === 0,
                "aria-pressed": String(!hiddenKinds.has(kind)),
                onclick: (event) => {
                    const isShown = hiddenKinds.delete(kind) || (hiddenKinds.add(kind), false);
                    event.currentTarget.setAttribute("aria-pressed", String(isShown));
                    onShow(kind, isShown);
                    restart();
                },
            },
            h("span", { class: "diff-swatch", "aria-hidden": "true" }, symbol),
            localized(`desk.kind.${kind}`), h("span", { class: "count" }, formatNumber(size)));
    }
}

/** The order of the feature types: those that visitors know first, others last. Changes of one type are sorted by name. */
const typeOrder = ["venue", "building", "level", "occupant", "unit", "amenity", "kiosk", "section", "opening", "fixture"];

function compare(a, b) {
    const rank = ({ change }) => (typeOrder.indexOf(change.feature_type) + typeOrder.length + 1) % (typeOrder.length + 1);
    const name = ({ after, before, id }) => featureName(after ?? before, id);
    return rank(a) - rank(b) || name(a).localeCompare(name(b)) || (a.id < b.id ? -1 : 1);
}
