// The changes of a floor as a list, with the legend of the map above it.

import { button } from "../fields.js";
import { changeEntry } from "./change-entry.js";
import { featureName, typeName } from "../names.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { kinds } from "./kinds.js";
import { word } from "../../words/words.js";

const step = 60;

export function changeList({ levels, onPick, onShow }) {
    const hidden = new Set();
    const legend = h("div", { class: "desk-chips", role: "group", "aria-label": word("desk.diff.legend") });
    const rows = h("ul", { class: "changes" });
    const foot = h("p", {});
    const entries = new Map();
    const types = h("select", { id: "change-type", onchange: () => start() });
    let all = [];
    let shown = [];
    let count = 0;

    const more = (least = count + step) => {
        const next = Math.min(Math.max(least, count), shown.length);
        for (const item of shown.slice(count, next)) {
            const entry = changeEntry(item, levels, onPick);
            entries.set(item.id, entry);
            rows.append(h("li", {}, entry));
        }
        count = next;
        const left = formatNumber(shown.length - count);
        fill(foot, count < shown.length && button("quiet", word("desk.changes.more", { n: left }), () => more()));
    };
    const start = () => {
        shown = all.filter((item) => !hidden.has(item.kind) && (!types.value || item.change.feature_type === types.value));
        count = 0;
        entries.clear();
        fill(rows, shown.length === 0 && h("li", { class: "desk-none" }, word("desk.changes.filtered")));
        more(step);
    };

    return {
        element: h(
            "div", { class: "change-pane" }, legend,
            h("p", { class: "desk-filter" }, h("label", { for: "change-type" }, word("desk.changes.type")), types), rows, foot),
        draw(items) {
            all = [...items].sort(inOrder);
            fill(legend, kinds.map(({ kind, sign }) => legendChip(kind, sign, all.filter((item) => item.kind === kind).length)));
            const found = [...new Set(all.map((item) => item.change.feature_type))].sort();
            fill(types,
                h("option", { value: "" }, word("desk.changes.allTypes")),
                found.map((type) => h("option", { value: type }, typeName(type))));
            start();
        },
        /** Shows what was picked on the map. */
        open(id) {
            const index = shown.findIndex((item) => item.id === id);
            if (index < 0) return;
            if (index >= count) more(index + 1);
            const entry = entries.get(id);
            entry.open = true;
            entry.scrollIntoView({ block: "nearest" });
            entry.querySelector("summary").focus({ preventScroll: true });
        },
    };

    function legendChip(kind, sign, size) {
        return h(
            "button", {
                type: "button", class: `chip diff-chip diff-is-${kind}`, disabled: size === 0,
                "aria-pressed": String(!hidden.has(kind)),
                onclick: (event) => {
                    const isShown = hidden.delete(kind) || (hidden.add(kind), false);
                    event.currentTarget.setAttribute("aria-pressed", String(isShown));
                    onShow(kind, isShown);
                    start();
                },
            },
            h("span", { class: "diff-swatch", "aria-hidden": "true" }, sign),
            word(`desk.kind.${kind}`), h("span", { class: "count" }, formatNumber(size)));
    }
}

/** What visitors know first, then what only holds it together; by name among themselves. */
const order = ["venue", "building", "level", "occupant", "unit", "amenity", "kiosk", "section", "opening", "fixture"];

function inOrder(a, b) {
    const rank = ({ change }) => (order.indexOf(change.feature_type) + order.length + 1) % (order.length + 1);
    const name = ({ after, before, id }) => featureName(after ?? before, id);
    return rank(a) - rank(b) || name(a).localeCompare(name(b)) || (a.id < b.id ? -1 : 1);
}
