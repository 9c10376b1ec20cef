// What the search panel searches: the places of the loaded floors, and what the server finds on the others.

import { amenityKinds } from "./categories.js";
import { ServerSearch } from "./server-search.js";

export class PlaceSearch {
    #floors;
    #serverSearch;
    #position;
    #onError;

    /**
     * `floors` are the `VenueFloors`. `position` returns from where distances are measured: `{at, ordinal}`, without `ordinal` on the
     * floor that is shown. `onChange` is called when the server has answered, `onError` when floors cannot be loaded.
     */
    constructor(venueKey, live, floors, { position, signal, onChange, onError }) {
        this.#floors = floors;
        this.#position = position;
        this.#onError = onError;
        this.#serverSearch = new ServerSearch(venueKey, live, { signal, onChange });
    }

    /** The places of the floor that is shown, or those of all loaded floors. */
    places(isEverywhere) {
        return isEverywhere ? this.#floors.placesEverywhere : this.#floors.places;
    }

    /**
     * The kinds of facilities that can be asked for, in their order: those of all loaded floors. While floors are missing, any kind may be
     * on one of them, so that all are offered.
     */
    get kinds() {
        const kinds = amenityKinds.map(({ kind }) => kind);
        if (this.missingFloors > 0) return kinds;
        return kinds.filter((kind) => this.#floors.kinds.has(kind));
    }

    floorOf(place) {
        return this.#floors.floorOf(place) ?? this.#floors.current;
    }

    /** From where distances are measured: `{position, floor}`. */
    get origin() {
        const { at, ordinal } = this.#position();
        const floor = this.#floors.all.find((each) => each.ordinal === ordinal) ?? this.#floors.current;
        return { position: at, floor };
    }

    /** The number of floors that are not loaded. */
    get missingFloors() {
        return this.#floors.missing.length;
    }

    /** What the server finds on the floors that are not loaded, as of `ServerSearch`. */
    onMissingFloors(conditions) {
        return this.#serverSearch.search(conditions, () => this.origin, this.#floors);
    }

    /** Loads the missing floors, unless the venue is so large that the server searches them: a search covers the whole venue. */
    begin() {
        if (!this.#floors.isLarge) this.loadMissing();
    }

    loadMissing() {
        this.#floors.loadMissing().catch(this.#onError);
    }
}
