// A row that scrolls sideways, with buttons at its ends for a mouse, which cannot swipe. They are no stops of the Tab key, which reaches
// everything in the row without them.

import { h, icon } from "./element.js";
import { prefersReducedMotion } from "./motion.js";

/** The part of the visible width by which a click scrolls. */
const step = 0.7;

/** `{element, setLabels({previous, next})}`: the row with its buttons, and what names them. */
export function scrollRow(row) {
    const button = (name, direction) => h("button", {
        type: "button", class: `scroll-${name}`, tabindex: -1,
        onclick: () => row.scrollBy({
            left: direction * step * row.clientWidth, behavior: prefersReducedMotion() ? "instant" : "smooth",
        }),
    }, icon(name));
    const [previous, next] = [button("previous", -1), button("next", 1)];
    const element = h("div", { class: "scroll-row" }, row, previous, next);
    const update = () => {
        element.classList.toggle("has-previous", row.scrollLeft > 1);
        element.classList.toggle("has-next", row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
    };
    row.addEventListener("scroll", update, { passive: true });
    new ResizeObserver(update).observe(row);
    new MutationObserver(update).observe(row, { childList: true });
    return {
        element,
        setLabels(labels) {
            previous.setAttribute("aria-label", labels.previous);
            next.setAttribute("aria-label", labels.next);
        },
    };
}
