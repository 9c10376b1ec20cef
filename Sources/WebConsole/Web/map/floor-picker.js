// The list of floors, top floor first. One is always current; the arrow keys move the focus up and down.

import { fill, h } from "../ui/element.js";
import { localized } from "../localization/localization.js";

export class FloorPicker {
    element = h("nav", { class: "floors" });
    #onPick;
    #floors = [];
    #currentOrdinal = null;

    constructor(onPick) {
        this.#onPick = onPick;
    }

    show(floors, currentFloor) {
        const hadFocus = this.element.contains(document.activeElement);
        this.#floors = floors;
        this.#currentOrdinal = currentFloor?.ordinal ?? null;
        this.element.setAttribute("aria-label", localized("map.floors"));
        fill(this.element, h("ol", {}, floors.map((floor) => this.#item(floor))));
        const currentButton = this.element.querySelector("[aria-current]");
        currentButton?.scrollIntoView({ block: "nearest" });
        if (hadFocus) currentButton?.focus();
    }

    #item(floor) {
        const isCurrent = floor.ordinal === this.#currentOrdinal;
        return h("li", {}, h(
            "button",
            {
                type: "button", title: floor.title, "aria-label": floor.title, "data-ordinal": floor.ordinal,
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
