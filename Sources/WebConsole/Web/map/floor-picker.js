// The floors, from the top down. One is always chosen; arrow keys go up and down as the building does.

import { fill, h } from "../ui/element.js";
import { word } from "../words/words.js";

export class FloorPicker {
    element = h("nav", { class: "floors" });
    #onPick;
    #floors = [];
    #current = null;

    constructor(onPick) {
        this.#onPick = onPick;
    }

    show(floors, current) {
        const hadFocus = this.element.contains(document.activeElement);
        this.#floors = floors;
        this.#current = current?.ordinal ?? null;
        this.element.setAttribute("aria-label", word("map.floors"));
        fill(this.element, h("ol", {}, floors.map((floor) => this.#item(floor))));
        const chosen = this.element.querySelector("[aria-current]");
        chosen?.scrollIntoView({ block: "nearest" });
        if (hadFocus) chosen?.focus();
    }

    #item(floor) {
        const isCurrent = floor.ordinal === this.#current;
        return h("li", {}, h(
            "button",
            {
                type: "button", title: floor.title, "aria-label": floor.title, "data-ordinal": floor.ordinal,
                "aria-current": isCurrent ? "true" : undefined,
                onclick: () => this.#onPick(floor), onkeydown: (event) => this.#step(event, floor),
            },
            floor.name));
    }

    #step(event, floor) {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        const next = by && this.#floors[this.#floors.indexOf(floor) + by];
        if (!by) return;
        event.preventDefault();
        this.element.querySelector(`[data-ordinal="${next?.ordinal}"]`)?.focus();
    }
}
