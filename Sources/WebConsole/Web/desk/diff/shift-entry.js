// The sentence about a floor that was moved as a whole. When opened, it lists the features that only moved.

import { EntryRows } from "./entry-rows.js";
import { fill, h } from "../../ui/element.js";
import { formatLength, formatNumber } from "../formats.js";
import { symbolOf } from "./kinds.js";
import { localized } from "../../localization/localization.js";

export class ShiftEntry {
    #sentence = h("span", { class: "change-name" });
    #items = [];
    #isDrawn = false;

    constructor(levels, onPick) {
        this.rows = new EntryRows(levels, onPick);
        /** Empty without a shift. */
        this.element = h("div");
        this.details = h(
            "details", { class: "change floor-shift diff-is-moved", ontoggle: () => this.details.open && this.#drawRows() },
            h("summary", {}, h("span", { class: "diff-swatch", "aria-hidden": "true" }, symbolOf("moved")), this.#sentence),
            h("div", { class: "change-body" }, this.rows.elements));
    }

    /** @param shift as of `scene`; null for none. @param items the features that only moved, without those that are filtered out. */
    draw(shift, items) {
        fill(this.element, shift && items.length > 0 && this.details);
        this.#items = items;
        this.#isDrawn = false;
        if (shift) {
            fill(this.#sentence, localized(shift.isVenueWide ? "desk.shift.venue" : "desk.shift.floor", {
                length: formatLength(shift.length), direction: localized(`desk.direction.${shift.direction}`), n: formatNumber(shift.ids.size),
            }));
        }
        if (this.details.open) this.#drawRows();
    }

    open(id) {
        if (!this.#items.some((item) => item.id === id)) return;
        this.details.open = true;
        this.#drawRows();
        this.rows.open(id);
    }

    #drawRows() {
        if (this.#isDrawn) return;
        this.#isDrawn = true;
        this.rows.draw(this.#items);
    }
}
