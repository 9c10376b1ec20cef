// The field for opening hours: the text in the syntax of `opening_hours`, and the week that it means, which can be edited as a table.

import { contains, isSame, pointerOf, valueAt } from "./changes.js";
import { fill, h, icon } from "../../ui/element.js";
import { gridOf, hoursTextOf, spanOf, timeText } from "./week-grid.js";
import { OpeningHours } from "../../client/hours/opening-hours.js";
import { clockText } from "../place-hours.js";
import { overrideNotes } from "./override-note.js";
import { problemLine, textOf } from "./fields.js";
import { formatOf, localized } from "../../localization/localization.js";

/** A new span. */
const usualSpan = [600, 1_200];
const pointer = pointerOf("properties", "hours");

export function hoursField(state) {
    const before = valueAt(state.feature, pointer);
    const input = h("input", {
        id: "edit-hours", name: "hours", value: textOf(before), autocomplete: "off", spellcheck: "false", autocapitalize: "none",
        placeholder: "Mo-Fr 10:00-20:00; Sa,Su 11:00-18:00", oninput: () => readText(),
    });
    const line = problemLine(input);
    const week = h("div", { class: "week-editor" });
    const reading = h("p", { class: "help", id: "edit-hours-reading", role: "status" });
    let hours = null;
    let grid = null;

    /** Reads the text and shows the week that it means. */
    function readText() {
        const text = input.value.trim();
        hours = OpeningHours.parseLeniently(text);
        grid = text === "" ? { days: Array.from({ length: 7 }, () => []), exceptions: [] } : hours && gridOf(hours);
        fill(reading, readingText(text, hours));
        fill(week, grid ? gridTable() : hours ? weekTable(hours) : null);
    }

    /** Writes the text of the table, which keeps the focus. */
    function writeText() {
        const text = hoursTextOf(grid);
        if (text === null) return fill(reading, localized("edit.hours.incomplete"));
        input.value = text;
        hours = OpeningHours.parse(text);
        return fill(reading, readingText(text, hours));
    }

    function gridTable() {
        return [
            h("table", { class: "week week-grid" },
                h("caption", { class: "visually-hidden" }, localized("edit.hours.week")),
                h("tbody", {}, grid.days.map((spans, day) => h(
                    "tr", {}, h("th", { scope: "row" }, dayName(day)), h("td", {}, daySpans(day, spans)))))),
            h("p", { class: "week-tools" }, h(
                "button", { type: "button", class: "bare small", onclick: () => copyFirstDay() }, localized("edit.hours.sameEveryDay"))),
            exceptionList(grid.exceptions),
        ];
    }

    function daySpans(day, spans) {
        const redraw = (focus) => {
            writeText();
            const cell = week.querySelectorAll(".week-grid td")[day];
            fill(cell, daySpans(day, grid.days[day]));
            cell.querySelector(focus)?.focus();
        };
        const add = h("button", {
            type: "button", class: "bare small add-span", "aria-label": localized("edit.hours.addSpan", { day: dayName(day) }),
            title: localized("edit.hours.addSpan", { day: dayName(day) }),
            onclick: () => {
                spans.push(nextSpan(spans));
                redraw(`.span:nth-of-type(${spans.length}) input`);
            },
        }, icon("plus"));
        return [
            spans.length === 0 && h("span", { class: "closed-day" }, localized("hours.closedDay")),
            spans.map((span, index) => {
                const time = (part, minute) => h("input", {
                    type: "time", value: timeText(minute), required: true,
                    "aria-label": localized(`edit.hours.${part}`, { day: dayName(day) }),
                    oninput: (event) => {
                        const [from, to] = event.target.closest(".span").querySelectorAll("input");
                        [span[0], span[1]] = spanOf(from.value, to.value);
                        writeText();
                    },
                });
                return h("span", { class: "span" }, time("from", span[0]), "–", time("to", span[1]), h("button", {
                    type: "button", class: "bare small", "aria-label": localized("edit.hours.removeSpan", { day: dayName(day) }),
                    title: localized("edit.hours.removeSpan", { day: dayName(day) }),
                    onclick: () => {
                        spans.splice(index, 1);
                        redraw(".add-span");
                    },
                }, icon("close")));
            }),
            add,
        ];
    }

    function copyFirstDay() {
        const first = grid.days.find((spans) => spans.length > 0) ?? [];
        grid.days = grid.days.map(() => first.map((span) => [...span]));
        writeText();
        fill(week, gridTable());
        week.querySelector(".week-tools button").focus();
    }

    const enter = (text) => {
        input.value = textOf(text);
        readText();
    };
    readText();
    const value = () => (input.value.trim() === "" ? null : hours?.strictText ?? input.value.trim());
    return {
        element: h("div", { class: "field" },
            h("label", { for: input.id }, localized("edit.field.hours")), input, line.element, reading, week,
            overrideNotes(state, pointer, (source) => {
                enter(source);
                input.focus();
            })),
        covers: (other) => contains(pointer, other),
        // A text that is understood but unusual is changed only if somebody has changed it.
        changes: () => (input.value === textOf(before) || isSame(value(), before) ? [] : [{ pointer, before, value: value() }]),
        enter: (_, text) => enter(text),
        problem: (text) => line.show(text),
        focus: () => input.focus(),
    };
}

/** A further span begins after the last one, if there is time left on that day. */
function nextSpan(spans) {
    const end = Math.max(0, ...spans.map(([, to]) => to));
    return end === 0 || end > 1_320 ? [...usualSpan] : [end + 60, Math.min(end + 240, 1_440)];
}

/** What the text means, in a sentence. */
function readingText(text, hours) {
    if (text === "") return localized("edit.hours.none");
    if (!hours) return localized("edit.hours.unreadable");
    return hours.isLenient ? localized("edit.hours.lenient", { text: hours.strictText }) : localized("edit.hours.read");
}

/** The week of hours that the table cannot express. */
function weekTable(hours) {
    const { days, exceptions } = hours.week;
    return [
        h("p", { class: "help" }, localized("edit.hours.textOnly")),
        h("table", { class: "week" }, h("tbody", {}, days.map((spans, day) => h(
            "tr", {}, h("th", { scope: "row" }, dayName(day)),
            h("td", {}, spans.length === 0 ? localized("hours.closedDay") : spans.map(spanText).join(", ")))))),
        exceptionList(exceptions),
    ];
}

function spanText({ start, end, state, comment }) {
    const times = end - start >= 1_440
        ? localized("hours.allDay")
        : `${clockText(start)}–${clockText(end)}`;
    return [times, comment && `“${comment}”`, state === "unknown" && localized("edit.hours.unknownState")].filter(Boolean).join(" ");
}

const exceptionList = (exceptions) => exceptions.length > 0 && h(
    "p", { class: "help" }, localized("edit.hours.exceptions"), " ", exceptions.map((text, index) => [index > 0 && " · ", h("code", {}, text)]));

/** The name of a weekday, from 0 for Monday. The fourth day of 1970 was a Sunday, so the fifth was a Monday. */
function dayName(day) {
    return formatOf(Intl.DateTimeFormat, { weekday: "short", timeZone: "UTC" }).format(new Date(Date.UTC(1970, 0, 5 + day)));
}
