// The position of a link on the map: the pin, the finding that is there, and marks for the other findings of the floor.

import { showPin } from "./link-target.js";

export class LinkedPosition {
    #marks = null;
    #floor;
    #at;
    #ordinal;
    #isOpen = true;

    /**
     * `target` is that of `linkTarget`, `query` that of the link, `mapLibre` the map, `padding` what covers it, `floor` the one that is shown.
     * The `address` keeps the position until the pin is removed; `onChange` is called when it begins and ends to do so.
     */
    constructor({ target, query, mapLibre, replica, venue, floor, padding: { left, right, top, bottom }, address, onChange, signal }) {
        this.#floor = floor;
        this.#at = target.at;
        // A link without a floor opens the one that it is meant for.
        this.#ordinal = target.ordinal ?? floor?.ordinal ?? null;
        address.keepPin(query);
        showPin(mapLibre, target, {
            venue, offset: [(left - right) / 2, (top - bottom) / 2],
            onRemove: () => {
                this.#isOpen = false;
                this.#marks?.remove();
                address.dropPin();
                onChange();
            },
        });
        onChange();
        if (target.finding) this.#mark({ mapLibre, replica, venue, signal }, target.finding);
    }

    /** The position, `{at, ordinal}`; null after the pin was removed. */
    get position() {
        return this.#isOpen ? { at: this.#at, ordinal: this.#ordinal } : null;
    }

    /** Follows the floor that is shown. */
    show(floor) {
        this.#floor = floor;
        if (this.#isOpen) this.#marks?.show(floor);
    }

    async #mark({ mapLibre, replica, venue, signal }, finding) {
        const { FindingMarks } = await import("./finding-marks.js");
        if (signal.aborted || !this.#isOpen) return;
        this.#marks = new FindingMarks(mapLibre, replica, venue, finding);
        this.show(this.#floor);
    }
}
