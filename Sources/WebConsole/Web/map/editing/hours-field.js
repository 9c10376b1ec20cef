// The field for opening hours: rows such as “Mon–Fri 10–20”, and the same as a text in the syntax of `opening_hours`, which can be edited,
// too, and says what rows cannot.

import { allDays, holidays, rowsOf, textOf as textOfRows } from "./hours-rows.js";
import { contains, isSame, pointerOf, valueAt } from "./changes.js";
import { dayName, daysText, problemsOf } from "./hours-problems.js";
import { fill, h, icon } from "../../ui/element.js";
import { hoursRowView, usualSpan } from "./hours-row-view.js";
import { OpeningHours } from "../../client/hours/opening-hours.js";
import { clockText } from "../place-hours.js";
import { overrideNotes } from "./override-note.js";
import { problemLine, textOf } from "./fields.js";
import { localized } from "../../localization/localization.js";

const pointer = pointerOf("properties", "hours");

export function hoursField(state) {
    const before = valueAt(state.feature, pointer);
    const input = h("input", {
        id: "edit-hours", name: "hours", value: textOf(before), autocomplete: "off", spellcheck: "false", autocapitalize: "none",
        placeholder: "Mo-Fr 10:00-20:00; Sa,Su 11:00-18:00", oninput: () => readText(),
    });
    const line = problemLine(input);
    const rowsElement = h("div", { class: "hours-rows" });
    const add = h("button", { type: "button", class: "quiet small add-row", onclick: () => addRow() }, icon("plus"), localized("edit.hours.addRow"));
    const week = h("div", { class: "week-editor" });
    const reading = h("p", { class: "help", id: "edit-hours-reading", role: "status" });
    let hours = null;
    /** That of `rowsOf`, with the views of its rows; null if rows cannot say what the text does. */
    let model = null;
    let views = [];

    /** Reads the text and shows the rows, or the week, that it means. */
    function readText() {
        line.show(null);
        const text = input.value.trim();
        hours = OpeningHours.parseLeniently(text);
        model = text === "" ? { text, rows: [], exceptions: [], count: 0 } : hours && rowsOf(hours.strictText);
        views = (model?.rows ?? []).map(viewOf);
        fill(rowsElement, views.map(({ element }) => element));
        add.hidden = model === null;
        fill(week, model ? exceptionList(model.exceptions) : hours && weekTable(hours));
        fill(reading, readingText(text, hours, model));
    }

    function viewOf(row) {
        const view = hoursRowView(row, { onChange: writeText, onRemove: () => removeRow(view) });
        return view;
    }

    /** Writes the text of the rows, unless something is wrong with one. */
    function writeText() {
        line.show(null);
        const problems = problemsOf(model.rows);
        for (const [index, view] of views.entries()) view.show(problems[index]);
        if (problems.some(Boolean)) return fill(reading);
        input.value = textOfRows(model);
        hours = OpeningHours.parse(input.value);
        return fill(reading, readingText(input.value, hours, model));
    }

    /** A new row is for the weekdays that have none, or else for public holidays. */
    function addRow() {
        const free = allDays.filter((day) => model.rows.every(({ days }) => !days.includes(day)));
        const weekdays = free.filter((day) => day !== holidays);
        const row = { days: weekdays.length > 0 ? weekdays : free, kind: "times", spans: [[...usualSpan]], source: null };
        model.rows.push(row);
        views.push(viewOf(row));
        rowsElement.append(views.at(-1).element);
        writeText();
        views.at(-1).focus();
    }

    function removeRow(view) {
        const index = views.indexOf(view);
        view.element.remove();
        views.splice(index, 1);
        model.rows.splice(index, 1);
        writeText();
        (views[index] ?? views[index - 1] ?? { focus: () => add.focus() }).focus();
    }

    const enter = (text) => {
        input.value = textOf(text);
        readText();
    };
    readText();
    const value = () => (input.value.trim() === "" ? null : hours?.strictText ?? input.value.trim());
    const invalid = () => problemsOf(model?.rows ?? []).findIndex(Boolean);
    return {
        element: h("fieldset", { class: "hours-field" },
            h("legend", {}, localized("edit.field.hours")), rowsElement, add, week, reading,
            h("div", { class: "field" }, h("label", { for: input.id }, localized("edit.hours.text")), input, line.element),
            overrideNotes(state, pointer, (source) => {
                enter(source);
                input.focus();
            })),
        covers: (other) => contains(pointer, other),
        // A text that is understood but unusual is changed only if somebody has changed it. Rows with a problem have no text yet.
        changes: () => (invalid() < 0 && (input.value === textOf(before) || isSame(value(), before)) ? [] : [{ pointer, before, value: value() }]),
        enter: (_, text) => enter(text),
        value,
        problem: (text) => line.show(text),
        /** Throws an error with a localized message, and focuses the place, if a row cannot be saved. */
        check() {
            const index = invalid();
            if (index < 0) return;
            writeText();
            views[index].focusProblem();
            throw new Error(problemsOf(model.rows)[index].text);
        },
        focus: () => input.focus(),
    };
}

/** What the text means, in a sentence. */
function readingText(text, hours, model) {
    if (text === "") return localized("edit.hours.none");
    if (!hours) return localized("edit.hours.unreadable");
    if (!model) return localized("edit.hours.textOnly");
    const closed = allDays.filter((day) => day !== holidays && model.rows.every(({ days }) => !days.includes(day)));
    return [
        hours.isLenient && localized("edit.hours.lenient", { text: hours.strictText }),
        closed.length > 0 && localized("edit.hours.otherDays", { days: daysText(closed) }),
    ].filter(Boolean).join(" ");
}

/** The week of hours that rows cannot express. */
function weekTable(hours) {
    const { days, exceptions } = hours.week;
    return [
        h("table", { class: "week" },
            h("caption", { class: "visually-hidden" }, localized("edit.hours.week")),
            h("tbody", {}, days.map((spans, day) => h(
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
