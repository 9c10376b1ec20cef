// The address of the map page: the floor, the place, what is searched, and where a link has put a pin.

import { rememberedKeys } from "./trusted-keys.js";
import { share } from "./share.js";
import { shortID } from "./short-id.js";

const pinParameters = ["feature", "at", "upload", "finding"];

export class MapAddress {
    #venue;
    #mode;
    #search;
    #pin = {};
    /** The parameters of directions that are open; null for none. */
    route = null;
    /** Whether the layer of what cannot be reached is shown. */
    hasCutOff = false;

    /** `mode` is that of `mapMode`, `search` returns the parameters of what is searched. */
    constructor(venue, mode, search) {
        this.#venue = venue;
        this.#mode = mode;
        this.#search = search;
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
        if (this.#mode.isPreview) return;
        // The next visitor of a kiosk sees neither the way nor the search of the previous one after a reload.
        const route = this.#mode.isKiosk ? null : this.route;
        // Directions cover the search, which may be that of one of their ends.
        const search = this.#mode.isKiosk || route ? null : this.#search();
        const layer = this.hasCutOff ? { cut_off: 1 } : {};
        const query = new URLSearchParams({ floor: ordinal, ...this.#pin, ...(place ? { place } : {}), ...search, ...route, ...layer, ...this.#mode.parameters });
        const url = `#/${this.#venue}?${query}`;
        // Back leaves neither a kiosk nor, for visitors of another site, its page.
        if (isNewEntry && !this.#mode.isKiosk && !this.#mode.isEmbedded && url !== location.hash) history.pushState(null, "", url);
        else history.replaceState(null, "", url);
    }

    /**
     * A link for others to a place, or else to a floor with what is searched, with the keys that this browser trusts. That to a place names no
     * floor, because the place may move to another one.
     */
    link(ordinal, place) {
        return this.#linkWith(place ? {} : { floor: ordinal, ...this.route ? {} : this.#search() }, place);
    }

    /** Shares a link to a place, or to a floor if there is none. */
    share(floor, place) {
        share(this.link(floor?.ordinal ?? 0, place?.id), place?.name ?? document.title, { isKiosk: this.#mode.isKiosk });
    }

    /** The same to a way, whose `parameters` are those of the address. */
    routeLink(parameters) {
        return this.#linkWith(parameters);
    }

    #linkWith(parameters, place = null) {
        const keys = rememberedKeys(this.#venue);
        const query = new URLSearchParams({ ...parameters, ...(keys ? { trust: keys.join(",") } : {}) });
        const path = `${location.origin}/#/${this.#venue}${place ? `/${shortID(place)}` : ""}`;
        return query.size > 0 ? `${path}?${query}` : path;
    }
}
