// Places that the server has found on floors that are not loaded. They have no geometry.

import { localChange } from "./place-hours.js";
import { LocalClock } from "../client/hours/local-clock.js";
import { Place } from "./places.js";
import { localization } from "../localization/localization.js";

/** The kinds of places by feature type. */
export const kindOfType = { occupant: "shop", amenity: "amenity", kiosk: "kiosk", unit: "room" };

export class FoundPlace extends Place {
    isFound = true;
    #hours = null;

    /** A result of the server, with the `level` of the place; `open` if only places were searched that are open now. */
    constructor({ id, feature_type: type, name, category, level, point, open }, live) {
        const kind = type === "unit" && !name ? "amenity" : kindOfType[type];
        const feature = { id, type, category, properties: { category, ...(name ? { name: { [localization.language]: name } } : {}) } };
        super({ kind, feature, level, point, unit: null }, live);
        if (open) this.#hours = new FoundHours(open.next_change, live.about.timeZone);
    }

    get hours() {
        return this.#hours;
    }
}

/** What is known of the opening hours of a place that was open when it was found. */
class FoundHours {
    #end;
    #timeZone;

    constructor(end, timeZone) {
        this.#end = end ? new Date(end) : null;
        this.#timeZone = LocalClock.of(timeZone) ? timeZone : null;
    }

    get hasTimeZone() {
        return this.#timeZone !== null;
    }

    /** As of `PlaceHours`; unknown after the place has closed. */
    state(moment = new Date()) {
        if (this.#end && this.#end <= moment) return { state: "unknown", next: null };
        return { state: "open", next: this.#end && this.#timeZone ? localChange(this.#end, moment, this.#timeZone) : null };
    }
}
