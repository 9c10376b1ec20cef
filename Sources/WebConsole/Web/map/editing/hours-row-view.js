// One row of opening hours: the days, how long the place is open on them, and from when until when.

import { allDays, holidays, spanOf, timeText } from "./hours-rows.js";
import { dayName, daysText } from "./hours-problems.js";
import { fill, h, icon } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

/** The times of a new row. */
export const usualSpan = [600, 1_200];
let lastID = 0;

/** `{row, element, show(problem), focus(), focusProblem()}`. `onChange` is called after the row was changed, `onRemove` to remove it. */
export function hoursRowView(row, { onChange, onRemove }) {
    lastID += 1;
    const id = `edit-hours-row-${lastID}`;
    const problemLine = h("p", { class: "error-message", id: `${id}-problem`, role: "status" });
    const days = h("div", { class: "day-toggles", role: "group", "aria-label": localized("edit.hours.days") }, allDays.map(dayToggle));
    const kind = h("select", {
        "aria-label": localized("edit.hours.kind"), onchange: () => {
            row.kind = kind.value;
            if (row.kind === "times" && row.spans.length === 0) row.spans = [[...usualSpan]];
            drawTimes();
            onChange();
        },
    }, ["times", "allDay", "closed"].map((value) => h("option", { value, selected: value === row.kind }, localized(`edit.hours.kind.${value}`))));
    const times = h("div", { class: "row-times" });
    const element = h(
        "div", { class: "hours-row", role: "group", id }, days,
        h("button", { type: "button", class: "bare small remove-row", onclick: onRemove }, icon("close")),
        h("div", { class: "row-hours" }, kind, times), problemLine);
    drawTimes();
    nameGroup();
    return { row, element, show, focus: () => days.firstChild.focus(), focusProblem };

    function dayToggle(day) {
        return h("button", {
            type: "button", class: `day-toggle ${day === holidays ? "is-wide" : ""}`, "aria-pressed": String(row.days.includes(day)),
            "aria-label": dayName(day, "long"), onclick: ({ currentTarget }) => {
                const isPressed = !row.days.includes(day);
                row.days = allDays.filter((each) => (each === day ? isPressed : row.days.includes(each)));
                currentTarget.setAttribute("aria-pressed", String(isPressed));
                nameGroup();
                onChange();
            },
        }, dayName(day));
    }

    /** The row is called by its days. */
    function nameGroup() {
        const name = row.days.length > 0 ? daysText(row.days) : localized("edit.hours.noDays");
        element.setAttribute("aria-label", name);
        const label = localized("edit.hours.removeRow", { days: daysText(row.days) });
        for (const attribute of ["aria-label", "title"]) element.querySelector(".remove-row").setAttribute(attribute, label);
    }

    function drawTimes(focus = null) {
        fill(times, row.kind === "times" && [row.spans.map(spanFields), h("button", {
            type: "button", class: "bare small add-span", onclick: () => {
                addSpan(row.spans);
                drawTimes((fields) => fields.at(-2));
                onChange();
            },
        }, icon("plus"), localized("edit.hours.addBreak"))]);
        focus?.([...times.querySelectorAll("input")]).focus();
    }

    function spanFields(span, index) {
        const nextDay = h("span", { class: "help" });
        const sayDay = () => fill(nextDay, span[1] > 1_440 && localized("edit.hours.nextDay"));
        const time = (label, minute) => h("input", {
            type: "time", value: timeText(minute), required: true, "aria-label": localized(label),
            oninput: (event) => {
                const [from, to] = event.target.closest(".span").querySelectorAll("input");
                [span[0], span[1]] = spanOf(from.value, to.value);
                sayDay();
                onChange();
            },
        });
        const remove = h("button", {
            type: "button", class: "bare small", "aria-label": localized("edit.hours.removeSpan"), title: localized("edit.hours.removeSpan"),
            onclick: () => {
                row.spans.splice(index, 1);
                drawTimes(() => times.querySelector(".add-span"));
                onChange();
            },
        }, icon("close"));
        sayDay();
        return h("span", { class: "span" }, time(index === 0 ? "edit.hours.from" : "edit.hours.fromAgain", span[0]), "–",
            time("edit.hours.to", span[1]), nextDay, row.spans.length > 1 && remove);
    }

    /** Shows a problem of `problemsOf` at the part of the row that is wrong; null removes it. */
    function show(problem) {
        // A status is announced when it changes.
        if (problemLine.textContent !== (problem?.text ?? "")) fill(problemLine, problem?.text);
        element.classList.toggle("is-invalid", problem !== null);
        for (const each of [days, ...times.querySelectorAll("input")]) {
            each.removeAttribute("aria-describedby");
            each.removeAttribute("aria-invalid");
        }
        const wrong = problem?.part === "days" ? [days] : problem ? times.querySelectorAll(".span")[problem.index].querySelectorAll("input") : [];
        for (const each of wrong) {
            each.setAttribute("aria-describedby", problemLine.id);
            if (each !== days) each.setAttribute("aria-invalid", "true");
        }
    }

    function focusProblem() {
        (times.querySelector("[aria-invalid]") ?? days.firstChild).focus();
    }
}

/** A break of an hour in the last span, or, if that is too short, a span after it. */
function addSpan(spans) {
    const last = spans.at(-1);
    const [from, to] = last.some(Number.isNaN) ? usualSpan : last;
    const middle = Math.floor((from + to) / 120) * 60;
    if (middle > from && middle + 60 < to && middle + 60 < 1_440) spans.splice(-1, 1, [from, middle], [middle + 60, to]);
    else spans.push(to + 60 < 1_440 ? [to + 60, Math.min(to + 240, 1_440)] : [NaN, NaN]);
}
