// The list of the changes of a level, with the legend of the map, which also filters the list.

import { button } from "../fields.js";
import { changeEntry } from "./change-entry.js";
import { featureName, typeName } from "../names.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { kinds } from "./kinds.js";
import { localized } from "../../localization/localization.js";

const pageSize = 60;

export function changeList({ levels, onPick, onShow }) {
    const hiddenKinds = new Set();
    const legend = h("div", { class: "desk-chips", role: "group", "aria-label": localized("desk.diff.legend") });
    const rows = h("ul", { class: "changes" });
    const footer = h("p", {});
    const entries = new Map();
    const types = h("select", { id: "change-type", onchange: () => restart() });
    let all = [];
    let matching = [];
    let count = 0;

    const showMore = (minimum = count + pageSize) => {
        const next = Math.min(Math.max(minimum, count), matching.length);
        for (const item of matching.slice(count, next)) {
            const entry = changeEntry(item, levels, onPick);
            entries.set(item.id, entry);
            rows.append(h("li", {}, entry));
        }
        count = next;
        const left = formatNumber(matching.length - count);
        fill(footer, count < matching.length && button("quiet", localized("desk.changes.more", { n: left }), () => showMore()));
    };
    const restart = () => {
        matching = all.filter((item) => !hiddenKinds.has(item.kind) && (!types.value || item.change.feature_type === types.value));
        count = 0;
        entries.clear();
        fill(rows, matching.length === 0 && h("li", { class: "desk-empty" }, localized("desk.changes.filtered")));
        showMore(pageSize);
    };

    return {
        element: h(
            "div", { class: "change-pane" }, legend,
            h("p", { class: "desk-filter" }, h("label", { for: "change-type" }, localized("desk.changes.type")), types), rows, footer),
        draw(items) {
            all = [...items].sort(compare);
            fill(legend, kinds.map(({ kind, symbol }) => legendChip(kind, symbol, all.filter((item) => item.kind === kind).length)));
            const presentTypes = [...new Set(all.map((item) => item.change.feature_type))].sort();
            fill(types,
                h("option", { value: "" }, localized("desk.changes.allTypes")),
                presentTypes.map((type) => h("option", { value: type }, typeName(type))));
            restart();
        },
        /** Opens the entry of a change that was selected on the map. */
        open(id) {
            const index = matching.findIndex((item) => item.id === id);
            if (index < 0) return;
            if (index >= count) showMore(index + 1);
            const entry = entries.get(id);
            entry.open = true;
            entry.scrollIntoView({ block: "nearest" });
            entry.querySelector("summary").focus({ preventScroll: true });
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
