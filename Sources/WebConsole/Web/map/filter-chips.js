// The row of filters, which is one stop of the Tab key; the arrow keys move within it.

import { fill, h } from "../ui/element.js";

/** The chip that opens the list is a stop of the Tab key of its own: a wide window hides it, also when it becomes wide later. */
export const listChip = "list";
const isListChip = (chip) => chip.dataset.chip === listChip;

/** Fills a row with chips: `{name, label, isPressed, act}`. The chip with the focus keeps it. */
export function fillFilters(row, filters) {
    const focused = document.activeElement?.dataset?.chip;
    fill(row, filters.map(({ name, label, isPressed, act }) => h(
        "button", {
            type: "button", class: "chip", "aria-pressed": String(isPressed), "data-chip": name, onclick: act, tabindex: "-1",
            onkeydown: (event) => moveAlong(row, event),
        }, label)));
    const chips = [...row.children].filter((each) => !isListChip(each));
    const stop = chips.find((each) => each.dataset.chip === focused) ?? chips.find((each) => each.getAttribute("aria-pressed") === "true") ?? chips[0];
    for (const each of row.children) if (each === stop || isListChip(each)) each.setAttribute("tabindex", "0");
    if (focused) row.querySelector(`[data-chip="${focused}"]`)?.focus({ preventScroll: true });
}

/** Moves the focus along a row with the arrow keys, Home and End. What is hidden cannot be focused. */
function moveAlong(row, event) {
    const items = [...row.children].filter((each) => getComputedStyle(each).display !== "none");
    const index = items.indexOf(event.currentTarget);
    const target = items[{ ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: items.length - 1 }[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    if (!isListChip(target)) for (const each of items) if (!isListChip(each)) each.setAttribute("tabindex", each === target ? "0" : "-1");
    target.focus();
}
