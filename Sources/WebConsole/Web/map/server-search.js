// Asks the server to search the floors of a large venue that are not loaded.

import { requestJSON } from "../api.js";
import { amenityKind, amenityKinds } from "./categories.js";
import { FoundPlace, kindOfType } from "./found-place.js";
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
/** How long what is open now counts as open now, in milliseconds: most opening hours begin and end at a quarter of an hour. */
const openPeriod = 15 * 60_000;

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
     * `{state, matches, isMore}` of a search on those of the `VenueFloors` that are not loaded, if the venue is large: `matches` are
     * `{match, places}` as of `search`, `state` is `none`, `waiting`, `done` or `failed`, `isMore` is whether there are more results than the
     * server lists, or more floors than it can be asked for.
     *
     * `conditions` are `{text, kind, isOpenNow}`: `kind` is a kind of facilities, of which those are found that are nearest to the
     * `origin`; null for all places. Null instead of the conditions, or a search without any, ends the request. The server is asked when the
     * conditions have not changed for a moment. `origin` is a function that returns that of a `PlaceSearch`, because finding the middle of
     * the map takes a layout of the page.
     */
    search(conditions, origin, { isLarge, missing }) {
        const floors = isLarge ? missing : [];
        const from = floors.length > 0 && conditions ? origin() : null;
        const queries = from ? queriesOf({ ...conditions, origin: from }) : [];
        const period = conditions?.isOpenNow ? Math.floor(Date.now() / openPeriod) : null;
        const key = queries.length > 0 ? JSON.stringify([queries, period, localization.language, this.#live.revision]) : null;
        if (key !== this.#key) this.#ask(key, queries, floors);
        const { state, results, isMore } = this.#answer;
        return { state, isMore, matches: this.#matches(results, floors, from) };
    }

    async #ask(key, queries, floors) {
        this.#key = key;
        this.#request.abort();
        // What the server sends here has no signature.
        const canAsk = queries.length > 0 && !this.#live.isTrusting && navigator.onLine !== false;
        this.#answer = { state: queries.length === 0 ? "none" : canAsk ? "waiting" : "failed", results: [], isMore: false };
        if (!canAsk) return;
        const { signal } = this.#request = new AbortController();
        await new Promise((resolve) => setTimeout(resolve, debounce));
        if (signal.aborted || this.#signal.aborted) return;
        const common = [
            ["lang", localization.language], ["limit", limit], ...Object.keys(kindOfType).map((type) => ["type", type]),
            ...floors.slice(0, maximumLevels).map(({ ordinal }) => ["level", `ordinal:${ordinal}`]),
        ];
        const paths = queries.map((query) => `/venues/${encodeURIComponent(this.#venueKey)}/search?${new URLSearchParams([...query, ...common])}`);
        const answer = await Promise.all(paths.map((path) => requestJSON(path, { signal, retries: 0 }))).then(
            (answers) => ({
                state: "done", results: answers.flatMap(({ results }) => results),
                isMore: floors.length > maximumLevels || answers.some(({ more }) => more),
            }),
            () => ({ state: "failed", results: [], isMore: false }));
        if (signal.aborted) return;
        this.#answer = answer;
        this.#onChange();
    }

    /**
     * Leaves out what is on a loaded floor, because its places are known better, and what is no place of the map. What is on several floors
     * is listed on the one that is nearest to the floor of the `origin`.
     */
    #matches(results, floors, origin) {
        const ordinals = new Map(floors.flatMap(({ ordinal, ids }) => [...ids].map((id) => [id, ordinal])));
        const distance = (level) => Math.abs(ordinals.get(level) - (origin?.floor?.ordinal ?? 0));
        const nearest = (levels) => levels.reduce((best, level) => (distance(level) < distance(best) ? level : best));
        const onMissing = results.filter(({ level_ids: levels, point }) =>
            point && levels.length > 0 && levels.every((level) => ordinals.has(level)));
        const mains = onMissing.filter(({ feature_type: type }) => type === "occupant" || type === "amenity");
        const facility = ({ category }) => amenityKind(category)?.kind ?? null;
        // A unit or kiosk is listed beside the shop or facility in it.
        const isSame = (one, other) => one.level_ids.some((level) => other.level_ids.includes(level))
            && metresBetween(one.point, other.point) < sameDistance
            && (one.name ? one.name === other.name : facility(one) === facility(other));
        const places = onMissing.filter((each) => mains.includes(each)
            || ((each.name || facility(each)) && !mains.some((main) => isSame(each, main))));
        return [...Map.groupBy(places, ({ match }) => match)].map(([match, group]) => ({
            match, places: group.map((each) => new FoundPlace({ ...each, level: nearest(each.level_ids) }, this.#live)),
        }));
    }
}

/** The parameters of the requests of a search: one for each category of a kind, because a request has one category at most. */
function queriesOf({ text, kind, isOpenNow, origin: { position, floor } }) {
    const query = [...(text.trim() ? [["q", text.trim()]] : []), ...(isOpenNow ? [["open_at", "now"]] : [])];
    if (!kind) return query.length > 0 ? [query] : [];
    // About 10 metres: a small movement of the map changes neither the nearest places nor the request.
    const near = [["near", position.map((degrees) => degrees.toFixed(4)).join(",")], ["near_level", `ordinal:${floor.ordinal}`]];
    const { categories } = amenityKinds.find((each) => each.kind === kind);
    return categories.map((category) => [...query, ["category", category], ...near]);
}
