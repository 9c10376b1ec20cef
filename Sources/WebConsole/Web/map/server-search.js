// Asks the server to search the floors of a large venue that are not loaded.

import { requestJSON } from "../api.js";
import { amenityKind } from "./categories.js";
import { Place } from "./places.js";
import { metresBetween } from "../client/map/geometry.js";
import { localization } from "../localization/localization.js";

/** Milliseconds without a change of the text before the server is asked. */
const debounce = 250;
/** The most that the server lists. */
const limit = 100;
/** The most levels that a request may name. */
const maximumLevels = 256;
/** How far apart, in metres, the label points of a unit and of the shop or facility in it may be. */
const sameDistance = 25;
const kinds = { occupant: "shop", amenity: "amenity", kiosk: "kiosk", unit: "room" };

/** A place that the server has found on a floor that is not loaded. It has no geometry and no opening hours. */
class FoundPlace extends Place {
    isFound = true;

    constructor({ id, feature_type: type, name, category, level, point }, live) {
        const kind = type === "unit" && !name ? "amenity" : kinds[type];
        const feature = { id, type, category, properties: { category, ...(name ? { name: { [localization.language]: name } } : {}) } };
        super({ kind, feature, level, point, unit: null }, live);
    }
}

export class ServerSearch {
    #venueKey;
    #live;
    #signal;
    #onChange;
    /** What was asked for last. */
    #key = null;
    #request = new AbortController();
    #answer = { state: "none", results: [], isMore: false };

    /** `onChange` is called when the state or the results change. */
    constructor(venueKey, live, { signal, onChange }) {
        this.#venueKey = venueKey;
        this.#live = live;
        this.#signal = signal;
        this.#onChange = onChange;
        signal.addEventListener("abort", () => this.#request.abort(), { once: true });
        // What failed without a connection is asked again.
        live.addEventListener("state", ({ detail }) => {
            if (detail !== "live" || this.#answer.state !== "failed") return;
            this.#key = null;
            this.#onChange();
        }, { signal });
    }

    /**
     * `{state, matches, isMore}` of a text on `floors`, those that are not loaded: `matches` are `{match, places}` as of `search`, `state`
     * is `none`, `waiting`, `done` or `failed`, `isMore` is whether there are more results than the server lists. The server is asked
     * when the text has not changed for a moment; an empty text ends the request.
     */
    search(text, floors) {
        const query = floors.length > 0 ? text.trim() : "";
        const key = query && JSON.stringify([query, localization.language, this.#live.revision]);
        if (key !== this.#key) this.#ask(key, query, floors);
        const { state, results, isMore } = this.#answer;
        return { state, isMore, matches: this.#matches(results, floors) };
    }

    async #ask(key, query, floors) {
        this.#key = key;
        this.#request.abort();
        // What the server sends here has no signature.
        const canAsk = query !== "" && !this.#live.isTrusting && navigator.onLine !== false;
        this.#answer = { state: query === "" ? "none" : canAsk ? "waiting" : "failed", results: [], isMore: false };
        if (!canAsk) return;
        const { signal } = this.#request = new AbortController();
        const levels = floors.slice(0, maximumLevels).map(({ ordinal }) => ["level", `ordinal:${ordinal}`]);
        const parameters = new URLSearchParams([
            ["q", query], ["lang", localization.language], ["limit", limit], ...Object.keys(kinds).map((type) => ["type", type]), ...levels,
        ]);
        const path = `/venues/${encodeURIComponent(this.#venueKey)}/search?${parameters}`;
        await new Promise((resolve) => setTimeout(resolve, debounce));
        if (signal.aborted || this.#signal.aborted) return;
        const answer = await requestJSON(path, { signal, retries: 0 })
            .then(({ results, more }) => ({ state: "done", results, isMore: more }), () => ({ state: "failed", results: [], isMore: false }));
        if (signal.aborted) return;
        this.#answer = answer;
        this.#onChange();
    }

    /** Leaves out what is on a loaded floor, because its places are known better, and what is no place of the map. */
    #matches(results, floors) {
        const missing = new Map(floors.flatMap(({ ids }) => [...ids].map((id) => [id, id])));
        const onMissing = results.filter(({ level_ids: levels, point }) =>
            point && levels.length > 0 && levels.every((level) => missing.has(level)));
        const mains = onMissing.filter(({ feature_type: type }) => type === "occupant" || type === "amenity");
        const facility = ({ category }) => amenityKind(category)?.kind ?? null;
        // A unit or kiosk is listed beside the shop or facility in it.
        const isSame = (one, other) => one.level_ids[0] === other.level_ids[0] && metresBetween(one.point, other.point) < sameDistance
            && (one.name ? one.name === other.name : facility(one) === facility(other));
        const places = onMissing.filter((each) => mains.includes(each)
            || ((each.name || facility(each)) && !mains.some((main) => isSame(each, main))));
        return [...Map.groupBy(places, ({ match }) => match)].map(([match, group]) => ({
            match, places: group.map((each) => new FoundPlace({ ...each, level: each.level_ids[0] }, this.#live)),
        }));
    }
}
