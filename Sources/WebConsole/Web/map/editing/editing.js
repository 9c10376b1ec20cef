// Editing on the map, for keys that may publish. This module only decides who sees the entry points; the others are loaded when an
// entry point is needed, so that readers never load them.

import { fill, h, icon } from "../../ui/element.js";
import { requestJSON } from "../../api.js";
import { backoffDelay, pause } from "../../retry.js";
import { session } from "../../session.js";
import { localization, localized } from "../../localization/localization.js";

/** The number of contested overrides that are counted exactly. */
const countLimit = 100;

export class Editing {
    #page;
    #isAllowed = false;
    #contested = { count: 0, isMore: false };
    #list = h("div", { class: "list-edits" });
    /** The section on the card: `{id, language, tools, section}`; `section` is null until its module is loaded. */
    #card = null;

    /**
     * `page` is what editing needs of the map page: `{venueKey, live, signal, floors, floor(), places(), map(), frame(),
     * refresh(), pick(place, options)}`.
     */
    constructor(page) {
        this.#page = page;
        page.live.addEventListener("changes", () => this.#isAllowed && this.#count().catch(() => {}));
    }

    /** Whether a dialog or the map waits for a decision of the editor, so that taps must not select places. */
    isBusy = false;

    /** Finds out whether the key may publish: only then the server lists overrides. */
    async start() {
        if (!session.isSignedIn) return;
        for (let attempt = 0; !this.#isAllowed; attempt += 1) {
            try {
                await this.#count();
                this.#isAllowed = true;
            } catch (error) {
                // A reader. With other errors the server does not respond now.
                if (this.#page.signal.aborted || (error.status >= 400 && error.status < 500)) return;
                await pause(backoffDelay(attempt), this.#page.signal).catch(() => {});
            }
        }
        this.#page.refresh();
    }

    async #count() {
        const path = `/venues/${encodeURIComponent(this.#page.venueKey)}/overrides?state=contested&limit=${countLimit}`;
        const { overrides, next } = await requestJSON(path, { signal: this.#page.signal });
        this.#contested = { count: overrides.length, isMore: next !== null };
        this.#fillList();
    }

    /** The entry points above the list of places; null for readers. */
    listTools() {
        if (!this.#isAllowed) return null;
        this.#fillList();
        return this.#list;
    }

    #fillList() {
        const { count, isMore } = this.#contested;
        const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.id : null;
        fill(
            this.#list,
            h("button", { type: "button", class: "quiet", "data-id": "add-shop", onclick: () => this.#addShop(null) },
                icon("plus"), localized("edit.addShop")),
            h("button", { type: "button", class: "quiet", "data-id": "shop-hours", onclick: () => this.#setHours() },
                icon("clock"), localized("edit.shopHours")),
            h("a", { class: "button quiet", "data-id": "edits", href: `#/${this.#page.venueKey}/desk/overrides` },
                localized("edit.overrides"),
                count > 0 && h("span", { class: "badge" }, `${count}${isMore ? "+" : ""}`,
                    h("span", { class: "visually-hidden" }, ` ${localized("edit.toDecide")}`))));
        if (focused) this.#list.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
    }

    async #addShop(unit) {
        const { addShop } = await import("./add-shop.js");
        return addShop(this.#page, this, unit);
    }

    async #setHours() {
        const { setHoursOfShops } = await import("./shop-hours.js");
        return setHoursOfShops(this.#page, this);
    }

    /** What a card has besides for publishers, `{actions, notes}`; null for readers. */
    cardTools(place) {
        if (!this.#isAllowed) return null;
        if (this.#card?.id !== place.id || this.#card.language !== localization.language) {
            const card = { id: place.id, language: localization.language, tools: cardElements(), section: null };
            this.#card = card;
            import("./card-section.js").then(({ CardSection }) => {
                card.section = new CardSection(card.tools, this.#page, this, { onAddShop: (unit) => this.#addShop(unit) });
                card.section.show(card.place);
            }, () => {});
        }
        this.#card.place = place;
        this.#card.section?.show(place);
        return this.#card.tools;
    }
}

function cardElements() {
    return { actions: h("div", { class: "card-buttons", role: "group" }), notes: h("div", { class: "card-overrides" }) };
}
