// A table with the number of changes of each level. The names of the levels are buttons.

import { button } from "../fields.js";
import { formatNumber } from "../formats.js";
import { h } from "../../ui/element.js";
import { symbolOf } from "./kinds.js";
import { levelName } from "../names.js";
import { localized } from "../../localization/localization.js";

const columns = ["added", "changed", "removed"];

/**
 * `{element, select(level), focus(level), focusedLevel}`, the last undefined if none is; without `onPick` the names are plain text.
 * @param known levels with names, as in `GET /venues/{venue}`.
 */
export function levelTable(levels, known, onPick) {
    const ordinal = (level) => level.ordinal ?? known.find((other) => other.level_id === level.level_id)?.ordinal ?? null;
    const rows = levels.map((level) => ({ ...level, ordinal: ordinal(level) })).sort(compareOrdinals).map((level) => {
        const name = h("bdi", {}, levelName(level.level_id, [...known, level]));
        const nameCell = onPick
            ? button("bare", name, () => onPick(level.level_id))
            : name;
        const row = h(
            "tr", { role: "row", class: "" }, h("th", { scope: "row", role: "rowheader" }, nameCell),
            columns.map((column) => h("td", {
                class: `number ${level[column] === 0 ? "is-zero" : `diff-text-${column}`}`, role: "cell", "data-symbol": symbolOf(column),
            }, formatNumber(level[column]))));
        return { id: level.level_id, row, nameCell };
    });
    const element = h(
        "div", { class: "desk-scroll" },
        // On phones the rows are side by side, for which the roles are stated: styles that change the layout of a table remove them.
        h("table", { class: "desk-table level-table", role: "table" },
            h("caption", { class: "visually-hidden" }, localized("desk.levels.caption")),
            h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
                h("th", { scope: "col", role: "columnheader" }, localized("desk.levels.level")),
                columns.map((column) => h(
                    "th", { scope: "col", role: "columnheader", class: "number", title: localized(`desk.kind.${column}`) },
                    onPick ? [h("span", { class: `diff-text-${column}`, "aria-hidden": "true" }, symbolOf(column)),
                        h("span", { class: "visually-hidden" }, localized(`desk.kind.${column}`))] : localized(`desk.kind.${column}`))))),
            h("tbody", { role: "rowgroup" }, rows.map(({ row }) => row))));
    const select = (level) => {
        for (const { id, row, nameCell } of rows) {
            row.classList.toggle("is-selected", id === level);
            nameCell.setAttribute("aria-pressed", String(id === level));
        }
    };
    return {
        element, select,
        focus: (level) => rows.find(({ id }) => id === level)?.nameCell.focus({ preventScroll: true }),
        get focusedLevel() { return rows.find(({ nameCell }) => nameCell === document.activeElement)?.id; },
    };
}

/** The venue-wide part first, then the levels from top to bottom. */
function compareOrdinals(a, b) {
    if (a.level_id === null || b.level_id === null) return a.level_id === null ? -1 : 1;
    return (b.ordinal ?? -1e9) - (a.ordinal ?? -1e9) || (a.level_id < b.level_id ? -1 : 1);
}
