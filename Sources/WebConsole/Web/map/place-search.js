// What the search panel searches: the places of the loaded floors, and what the server finds on the others.

import { amenityKinds, browsedGroups } from "./categories.js";
import { foldedText } from "../client/map/folded-text.js";
import { withBuildings } from "../client/map/search-terms.js";
import { LocalClock } from "../client/hours/local-clock.js";
import { ServerSearch } from "./server-search.js";
import { localized } from "../localization/localization.js";
import { placeGroupName } from "./place-groups.js";

/** The number in the folded name of a floor, as a text such as `2` or `b1`; null if it is no such name, or a number alone. */
function floorNumber(folded) {
    const [, before = "", basement = "", number, after = ""] = /^(floor|level|lvl|fl|f|l|地下)? ?(b)?(\d{1,3}) ?(f|fl|floor|階)?$/.exec(folded) ?? [];
    if (number === undefined || (before === "" && basement === "" && after === "")) return null;
    return `${basement || before === "地下" ? "b" : ""}${Number(number)}`;
}

export class PlaceSearch {
    #live;
    #floors;
    #serverSearch;
    #origin;
    #onChange;
    #onError;

    /**
     * `floors` are the `VenueFloors`. `origin` returns from where distances are measured, as of `distanceOrigin`. `onChange` is called when the server has answered, and with `onError` when floors cannot be loaded.
     */
    constructor(venueKey, live, floors, { origin, signal, onChange, onError }) {
        this.#live = live;
        this.#floors = floors;
        this.#origin = origin;
        this.#onChange = onChange;
        this.#onError = onError;
        this.#serverSearch = new ServerSearch(venueKey, live, { signal, onChange });
    }

    /** The places of the floor that is shown, or those of all loaded floors, without those that the venue hides. */
    places(isEverywhere) {
        const places = isEverywhere ? this.#floors.placesEverywhere : this.#floors.places;
        return places.filter(({ feature }) => !this.#floors.appearance.hides(feature));
    }

    /**
     * The kinds of facilities that can be asked for, in their order: those of all loaded floors. While floors are missing, any kind may be
     * on one of them, so that all are offered that the venue does not hide.
     */
    get kinds() {
        const { appearance, kinds } = this.#floors;
        const isMissing = this.missingFloors > 0;
        // The first category of a kind is its name in IMDF; the others are its subcategories and what archives call it besides.
        const mayExist = ([category]) => isMissing && !appearance.hides({ type: "amenity", category });
        return amenityKinds.filter(({ kind, categories }) => kinds.has(kind) || mayExist(categories)).map(({ kind }) => kind);
    }

    /**
     * The filters, `{name, label}`: the kinds, and after restrooms, which are asked for most, the groups of what is on the loaded floors; and the
     * one that is `active`, which can be switched off.
     */
    filters(active) {
        const names = new Set([...this.kinds, active]);
        const kinds = amenityKinds.filter(({ kind }) => names.has(kind)).map(({ kind: name }) => ({ name, label: localized(`amenity.${name}`) }));
        const groups = browsedGroups.filter((name) => this.#floors.browsed.has(name) || name === active).map((name) => ({ name, label: placeGroupName(name) }));
        const first = kinds[0]?.name === "restroom" ? 1 : 0;
        return [...kinds.slice(0, first), ...groups, ...kinds.slice(first)];
    }

    /** Whether it is known what time it is at the venue, and so what is open now. */
    get hasTimeZone() {
        return LocalClock.of(this.#live.about.timeZone) !== null;
    }

    /** Returns the features whose names say where a feature is: its level and the buildings of it. */
    get around() {
        let venueWide = null;
        const featureOf = (id) => {
            venueWide ??= new Map(this.#live.featuresOf(null).map((feature) => [feature.id, feature]));
            return venueWide.get(id);
        };
        return ({ level }) => withBuildings([level].map(featureOf).filter((each) => each !== undefined), featureOf);
    }

    floorOf(place) {
        return this.#floors.floorOf(place) ?? this.#floors.current;
    }

    /** The floors that a text names: their names, or a number with a word or letter for floors, such as “L2”, “2F” or “Floor 2”. */
    floorsNamed(text) {
        const folded = foldedText(text);
        if (folded === "") return [];
        const number = floorNumber(folded);
        return this.#floors.all.filter(({ name, names, title }) => [name, ...names, ...title.split(" / ")].some((each) =>
            foldedText(each) === folded || (number !== null && floorNumber(foldedText(each)) === number)));
    }

    /** From where distances are measured: `{position, floor, kind, name}`. */
    get origin() {
        const { at, ordinal, kind, name } = this.#origin();
        const floor = this.#floors.all.find((each) => each.ordinal === ordinal) ?? this.#floors.current;
        return { position: at, floor, kind, name };
    }

    /** The number of floors that are not loaded. */
    get missingFloors() {
        return this.#floors.missing.length;
    }

    /** Whether these floors are loading. */
    get isLoading() {
        return this.#floors.isLoadingMissing;
    }

    /** Whether the venue is too large to be loaded completely for a search. */
    get isLarge() {
        return this.#floors.isLarge;
    }

    /** What the server finds on the floors that are not loaded, as of `ServerSearch`. */
    onMissingFloors(conditions) {
        const { matches, ...rest } = this.#serverSearch.search(conditions, () => this.origin, this.#floors);
        const isShown = ({ feature }) => !this.#floors.appearance.hides(feature);
        return { ...rest, matches: matches.map(({ match, places }) => ({ match, places: places.filter(isShown) })) };
    }

    /** Loads the missing floors, unless the venue is so large that the server searches them: a search covers the whole venue. */
    begin() {
        if (!this.#floors.isLarge) this.loadMissing();
    }

    loadMissing() {
        this.#floors.loadMissing().catch((error) => {
            this.#onError(error);
            this.#onChange();
        });
    }
}
