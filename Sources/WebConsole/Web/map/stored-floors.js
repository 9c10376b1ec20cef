// Which floors can be read without a network, and a button that stores the others.

import { errorText } from "../ui/error-text.js";
import { fill, h, icon } from "../ui/element.js";
import { announce, toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

/** A part of the status: that all floors are stored, or the button. It is empty where the browser keeps nothing, and without a connection. */
export class StoredFloors {
    #live;
    #floors;
    #onLeave;
    #label = h("span");
    /** Stays the same element, so that a change of the replica does not take the focus from it. */
    #button = h("button", { type: "button", class: "quiet", onclick: () => this.#store() }, icon("download"), this.#label);
    #isStoring = false;
    #line = h("p", {}, this.#button);
    element = h("div");

    /** Of a `LiveVenue` and its `VenueFloors`. `onLeave` focuses something else when the focused button goes. */
    constructor(live, floors, { onLeave }) {
        this.#live = live;
        this.#floors = floors;
        this.#onLeave = onLeave;
    }

    /** Shows the present state in the present language. */
    update() {
        const n = this.#floors.missing.length;
        const isKept = this.#live.isStored && this.#floors.all.length > 0;
        const hasButton = isKept && n > 0 && this.#live.state === "live";
        const hadFocus = this.#button === document.activeElement;
        if (hasButton) {
            this.#label.textContent = localized("map.storeFloors", { n });
            if (this.#line.parentNode !== this.element) this.element.replaceChildren(this.#line);
        } else fill(this.element, isKept && n === 0 && h("p", {}, localized("map.allStored")));
        if (hadFocus && !hasButton) this.#onLeave();
    }

    /** What fails can be tried again. The button is not disabled meanwhile, which would take its focus. */
    async #store() {
        if (this.#isStoring) return;
        this.#setStoring(true);
        try {
            await this.#floors.loadMissing();
            // A browser without space keeps nothing at all.
            if (!this.#live.isStored) toast(localized("map.storingFailed"), "problem");
            else if (this.#floors.missing.length === 0) announce(localized("map.allStored"));
        } catch (error) {
            toast(errorText(error), "problem");
        }
        this.#setStoring(false);
        this.update();
    }

    #setStoring(isStoring) {
        this.#isStoring = isStoring;
        this.#button.setAttribute("aria-disabled", String(isStoring));
    }
}
