// The address of the map page: the floor, the place, and where a link has put a pin.

import { rememberedKeys } from "./trusted-keys.js";

const pinParameters = ["feature", "at", "upload", "finding"];

export class MapAddress {
    #venue;
    #pin = {};

    /** `query` are the parameters of the address that the page was opened with. */
    constructor(venue, query) {
        this.#venue = venue;
        this.isEmbedded = query.has("embed");
    }

    /** Keeps the parameters of a pin in the address, so that it is there again after a reload. */
    keepPin(query) {
        for (const name of pinParameters) if (query.has(name)) this.#pin[name] = query.get(name);
    }

    dropPin() {
        this.#pin = {};
    }

    /** Writes a floor and a place into the address, so that it can be shared. With `isNewEntry`, Back returns to the previous ones. */
    write(ordinal, place, { isNewEntry }) {
        const query = new URLSearchParams({ floor: ordinal, ...this.#pin, ...(place ? { place } : {}) });
        if (this.isEmbedded) query.set("embed", "");
        const url = `#/${this.#venue}?${query}`;
        if (isNewEntry && url !== location.hash) history.pushState(null, "", url);
        else history.replaceState(null, "", url);
    }

    /** A link to a floor and a place, for others, with the keys that this browser trusts. */
    link(ordinal, place) {
        const keys = rememberedKeys(this.#venue);
        const query = new URLSearchParams({ floor: ordinal, ...(place ? { place } : {}), ...(keys ? { trust: keys.join(",") } : {}) });
        return `${location.origin}/#/${this.#venue}?${query}`;
    }
}
