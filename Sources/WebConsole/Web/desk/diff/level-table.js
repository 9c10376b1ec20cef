// How much changed on each floor. A floor's name shows its changes.

import { button } from "../fields.js";
import { formatNumber } from "../formats.js";
import { h } from "../../ui/element.js";
import { levelName } from "../names.js";
import { word } from "../../words/words.js";

const columns = ["added", "changed", "removed"];

/**
 * `{element, mark(level)}`; without `onPick` the names are only names.
 * @param known floors with their names, as `GET /venues/{venue}` tells them.
 */
export function levelTable(levels, known, onPick) {
    const ordinal = (level) => level.ordinal ?? known.find((other) => other.level_id === level.level_id)?.ordinal ?? null;
    const rows = levels.map((level) => ({ ...level, ordinal: ordinal(level) })).sort(byHeight).map((level) => {
        const name = levelName(level.level_id, [...known, level]);
        const head = onPick
            ? button("bare", name, () => onPick(level.level_id))
            : name;
        const row = h(
            "tr", {}, h("th", { scope: "row" }, head),
            columns.map((column) => h(
                "td", { class: `number ${level[column] === 0 ? "is-zero" : `diff-text-${column}`}` }, formatNumber(level[column]))));
        return { id: level.level_id, row, head };
    });
    const element = h(
        "div", { class: "desk-scroll" },
        h("table", { class: "desk-table level-table" },
            h("caption", { class: "unseen" }, word("desk.levels.caption")),
            h("thead", {}, h("tr", {},
                h("th", { scope: "col" }, word("desk.levels.level")),
                columns.map((column) => h("th", { scope: "col", class: "number" }, word(`desk.kind.${column}`))))),
            h("tbody", {}, rows.map(({ row }) => row))));
    const mark = (level) => {
        for (const { id, row, head } of rows) {
            row.classList.toggle("is-chosen", id === level);
            head.setAttribute("aria-pressed", String(id === level));
        }
    };
    return { element, mark };
}

/** The venue-wide part first, then from the top floor down. */
function byHeight(a, b) {
    if (a.level_id === null || b.level_id === null) return a.level_id === null ? -1 : 1;
    return (b.ordinal ?? -1e9) - (a.ordinal ?? -1e9) || (a.level_id < b.level_id ? -1 : 1);
}
