// Rows of changes, of which a button shows more.

import { button } from "../fields.js";
import { changeEntry } from "./change-entry.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { localized } from "../../localization/localization.js";

const pageSize = 60;

export class EntryRows {
    #rows = h("ul", { class: "changes" });
    #footer = h("p", {});
    #entries = new Map();
    #items = [];
    #count = 0;

    constructor(levels, onPick) {
        this.levels = levels;
        this.onPick = onPick;
        this.elements = [this.#rows, this.#footer];
    }

    /** @param empty the text that is shown without items; none by default. */
    draw(items, empty = null) {
        this.#items = items;
        this.#count = 0;
        this.#entries.clear();
        fill(this.#rows, items.length === 0 && empty && h("li", { class: "desk-empty" }, empty));
        this.#showMore(pageSize);
    }

    /** Opens the entry of a change; false if it is not among the items. */
    open(id) {
        const index = this.#items.findIndex((item) => item.id === id);
        if (index < 0) return false;
        if (index >= this.#count) this.#showMore(index + 1);
        const entry = this.#entries.get(id);
        entry.open = true;
        entry.scrollIntoView({ block: "nearest" });
        entry.querySelector("summary").focus({ preventScroll: true });
        return true;
    }

    #showMore(minimum = this.#count + pageSize) {
        const next = Math.min(Math.max(minimum, this.#count), this.#items.length);
        for (const item of this.#items.slice(this.#count, next)) {
            const entry = changeEntry(item, this.levels, this.onPick);
            this.#entries.set(item.id, entry);
            this.#rows.append(h("li", {}, entry));
        }
        this.#count = next;
        const left = this.#items.length - this.#count;
        fill(this.#footer, left > 0 && button("quiet", localized("desk.changes.more", { n: formatNumber(left) }), () => this.#showMore()));
    }
}
