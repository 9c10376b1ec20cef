// The floors of a venue: which one is shown, which are loaded, and the places on them.

import { Appearance } from "./appearance.js";
import { amenityKind } from "./categories.js";
import { floorsOf, initialFloor } from "./floors.js";
import { browsedGroup } from "./place-groups.js";
import { placesOf } from "./places.js";

/**
 * Venues with up to this number of features are loaded completely when the user begins to search. In larger ones, the server searches
 * the floors that were not opened, unless the user asks for all of them.
 */
const fullSearchLimit = 20_000;

/** The types of features that can be facilities. */
const placeTypes = new Set(["amenity", "unit", "occupant", "kiosk"]);
/** The types of features that visitors can browse. */
const browsedTypes = new Set(["occupant", "kiosk"]);

/** Sends `change` when another floor is shown, or what is on it may have changed. */
export class VenueFloors extends EventTarget {
    #live;
    /** The number of features of the whole venue. */
    featureCount = Infinity;
    /** The `Appearance` of the venue. */
    appearance = new Appearance(null);
    /** All floors, top floor first. */
    all = [];
    /** The floor that is shown; null if none is shown yet. */
    current = null;
    /** The ordinal of the floor that was chosen last. It differs from the current floor while the chosen one is loading. */
    targetOrdinal = null;
    /** The places of the current floor. */
    places = [];
    /** The places of the other loaded floors; null until they are needed. */
    #otherPlaces = null;
    /** How many calls of `loadMissing` have not ended. */
    #loads = 0;
    /** The kinds of facilities; null until they are needed. */
    #kinds = null;
    /** The groups that visitors can browse; null until they are needed. */
    #browsed = null;

    constructor(live) {
        super();
        this.#live = live;
    }

    /** Loads a floor unless it is loaded already; the venue-wide part if `ordinal` is undefined. */
    async load(ordinal) {
        const level = ordinal === undefined ? "venue" : `ordinal:${ordinal}`;
        if (!this.#live.holds(level)) await this.#live.load([level]);
    }

    isLoaded(ordinal) {
        return this.#live.holds(`ordinal:${ordinal}`);
    }

    /** Reads the floors of the replica; returns the floor of an ordinal, or else the initial floor. */
    find(ordinal) {
        this.all = floorsOf(this.#live);
        return this.all.find((each) => each.ordinal === ordinal) ?? initialFloor(this.all);
    }

    /** Makes a floor the current one, and finds its places. */
    show(floor) {
        if (floor === this.current) return;
        this.current = floor;
        this.targetOrdinal = floor.ordinal;
        this.makePlaces();
    }

    /** Reads the floors and the places again, after a change of language. */
    retranslate() {
        this.all = floorsOf(this.#live);
        this.current = this.all.find(({ ordinal }) => ordinal === this.current?.ordinal) ?? this.current;
        this.makePlaces();
    }

    makePlaces() {
        this.places = this.current ? placesOf(this.current, this.#live) : [];
        this.#otherPlaces = this.#kinds = this.#browsed = null;
        this.dispatchEvent(new Event("change"));
    }

    /** The kinds of facilities on the loaded floors that the venue does not hide. */
    get kinds() {
        this.#kinds ??= new Set(this.#shown(placeTypes).map(({ category }) => amenityKind(category)?.kind));
        return this.#kinds;
    }

    /** The groups of the occupants and kiosks on the loaded floors that have a category and are no facilities. */
    get browsed() {
        this.#browsed ??= new Set(this.#shown(browsedTypes).map(({ category }) => browsedGroup(category)));
        return this.#browsed;
    }

    /** The features of some types that the venue does not hide. Not the places, because making those of all floors takes longer. */
    #shown(types) {
        return [null, ...this.all.flatMap(({ ids }) => [...ids])].flatMap((level) => this.#live.featuresOf(level))
            .filter((feature) => types.has(feature.type) && !this.appearance.hides(feature));
    }

    /** The places of all loaded floors. */
    get placesEverywhere() {
        this.#otherPlaces ??= this.all.filter(({ ordinal }) => ordinal !== this.current?.ordinal)
            .flatMap((floor) => placesOf(floor, this.#live));
        return [...this.places, ...this.#otherPlaces];
    }

    /** The floor that a place is on; undefined if there is none. */
    floorOf(place) {
        return this.all.find(({ ids }) => ids.has(place.level));
    }

    /** Whether the venue is too large to be loaded completely for a search. */
    get isLarge() {
        return this.featureCount > fullSearchLimit;
    }

    /** The floors that are not loaded. */
    get missing() {
        return this.all.filter(({ ordinal }) => !this.isLoaded(ordinal));
    }

    /** Loads all floors, because a search covers the whole venue. */
    async loadMissing() {
        const { missing } = this;
        if (missing.length === 0) return;
        this.#loads += 1;
        try {
            await this.#live.load(missing.map(({ ordinal }) => `ordinal:${ordinal}`));
        } finally {
            this.#loads -= 1;
        }
    }

    /** Whether the floors that are missing are loading. */
    get isLoadingMissing() {
        return this.#loads > 0 && this.missing.length > 0;
    }
}
