// What is wrong with rows of opening hours, said at the row, and the names of days in such sentences.

import { firstOverlap, holidays, rangesOf } from "./hours-rows.js";
import { formatOf, localized } from "../../localization/localization.js";

/** The name of a day, from 0 for Monday to that of public holidays. The fourth day of 1970 was a Sunday, so the fifth was a Monday. */
export function dayName(day, weekday = "short") {
    if (day === holidays) return localized("edit.hours.holidays");
    return formatOf(Intl.DateTimeFormat, { weekday, timeZone: "UTC" }).format(new Date(Date.UTC(1970, 0, 5 + day)));
}

/** “Mon–Fri, Sun, Public holidays” */
export function daysText(days) {
    return rangesOf(days).map(([first, last]) => (first === last ? dayName(first) : `${dayName(first)}–${dayName(last)}`))
        .join(localized("edit.comma"));
}

/** What is wrong with each row: `{text, part, index}`, null for nothing. `part` is `days` or `times`, `index` that of the span. */
export function problemsOf(rows) {
    return rows.map((row) => daysProblem(row, rows) ?? timesProblem(row));
}

function daysProblem(row, rows) {
    const problem = (text) => ({ text, part: "days", index: 0 });
    if (row.days.length === 0) return problem(localized("edit.hours.noDays"));
    const others = rows.filter((each) => each !== row).flatMap(({ days }) => days);
    const twice = row.days.filter((day) => others.includes(day));
    return twice.length > 0 ? problem(localized("edit.hours.sameDay", { days: daysText(twice) })) : null;
}

function timesProblem({ kind, spans }) {
    if (kind !== "times") return null;
    const problem = (name, index) => (index < 0 ? null : { text: localized(`edit.hours.${name}`), part: "times", index });
    return problem("incomplete", spans.findIndex((span) => span.some(Number.isNaN)))
        ?? problem("sameTime", spans.findIndex(([from, to]) => to - from === 1_440))
        ?? problem("overlap", firstOverlap(spans) ?? -1);
}
