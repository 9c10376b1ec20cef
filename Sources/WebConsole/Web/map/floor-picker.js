// The list of floors, top floor first. One is always current; the arrow keys move the focus up and down.

import { fill, h } from "../ui/element.js";
import { localized } from "../localization/localization.js";

export class FloorPicker {
    element = h("nav", { class: "floors" });
    #onPick;
    #floors = [];
    #currentOrdinal = null;
    /** How many results of a search are on each floor, by ordinal. */
    #results = new Map();
    /** What is said of the floors that a way touches, by ordinal. */
    #way = new Map();

    constructor(onPick) {
        this.#onPick = onPick;
    }

    show(floors, currentFloor) {
        this.#floors = floors;
        this.#currentOrdinal = currentFloor?.ordinal ?? null;
        this.#fill();
    }

    /** Marks the floors with results of a search: their number by ordinal. */
    mark(results) {
        if (isSame(results, this.#results)) return;
        this.#results = results;
        if (this.#floors.length > 0) this.#fill();
    }

    /** Marks the floors that a way touches: their names for screen readers, by ordinal. */
    markWay(texts) {
        if (isSame(texts, this.#way)) return;
        this.#way = texts;
        if (this.#floors.length > 0) this.#fill();
    }

    #fill() {
        const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.ordinal : null;
        this.element.setAttribute("aria-label", localized("map.floors"));
        fill(this.element, h("ol", {}, this.#floors.map((floor) => this.#item(floor))));
        const currentButton = this.element.querySelector("[aria-current]");
        currentButton?.scrollIntoView({ block: "nearest" });
        if (focused !== null) (this.element.querySelector(`[data-ordinal="${focused}"]`) ?? currentButton)?.focus();
    }

    #item(floor) {
        const isCurrent = floor.ordinal === this.#currentOrdinal;
        const n = this.#results.get(floor.ordinal);
        const way = this.#way.get(floor.ordinal);
        return h("li", {}, h(
            "button",
            {
                type: "button", title: floor.title, "data-ordinal": floor.ordinal, "data-found": n, "data-way": way && "",
                "aria-label": way ?? (n ? `${floor.title}: ${localized("map.found", { n })}` : floor.title),
                "aria-current": isCurrent ? "true" : undefined,
                onclick: () => this.#onPick(floor), onkeydown: (event) => this.#moveFocus(event, floor),
            },
            floor.name));
    }

    #moveFocus(event, floor) {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        const next = by && this.#floors[this.#floors.indexOf(floor) + by];
        if (!by) return;
        event.preventDefault();
        this.element.querySelector(`[data-ordinal="${next?.ordinal}"]`)?.focus();
    }
}

const isSame = (one, other) => JSON.stringify([...one]) === JSON.stringify([...other]);
