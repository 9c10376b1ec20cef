// The map page of a venue. Loads the floors that the user opens, and connects the map, the floor picker and the search panel.

import { Editing } from "./editing/editing.js";
import { FloorPicker } from "./floor-picker.js";
import { LiveVenue } from "./live-venue.js";
import { loadMapLibrary, MapLibraryMissing } from "./library.js";
import { SearchPanel } from "./search-panel.js";
import { VenueMap } from "./venue-map.js";
import { requestJSON } from "../api.js";
import { emptyState, loadingState } from "../ui/states.js";
import { fill } from "../ui/element.js";
import { floorsOf, initialFloor } from "./floors.js";
import { labelText } from "./labels.js";
import { mapFrame } from "./map-frame.js";
import { linkTarget, showPin } from "./link-target.js";
import { placesOf } from "./places.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

/**
 * Venues with up to this number of features are loaded completely when the user begins to search. In larger ones, a search covers
 * the floors that were opened.
 */
const fullSearchLimit = 20_000;

export async function show(context, { venue, query }) {
    context.setTitle(venue);
    fill(context.root, loadingState());
    const library = loadMapLibrary();
    library.catch(() => {});
    const page = new MapPage(context, venue, await LiveVenue.open(venue, context.signal));
    // Loads the floor of the URL, or the ground floor, before it is known which floors exist. If the venue has no such floor, only the
    // venue-wide part is loaded.
    const likelyOrdinal = Number.parseInt(query.get("floor") ?? "0", 10) || 0;
    const preloading = query.has("feature") || query.has("at") ? Promise.resolve() : page.load(likelyOrdinal);
    preloading.catch(() => {});
    const about = await requestJSON(`/venues/${encodeURIComponent(venue)}`, { signal: context.signal });
    const ordinals = about.levels.filter(({ ordinal }) => Number.isInteger(ordinal)).map(({ ordinal }) => ({ ordinal }));
    const target = await linkTarget(venue, about, query, context.signal);
    const requestedOrdinal = target?.ordinal ?? Number(query.get("floor") ?? NaN);
    const initial = ordinals.find(({ ordinal }) => ordinal === requestedOrdinal) ?? initialFloor(ordinals);
    page.featureCount = about.levels.reduce((sum, { features }) => sum + features, 0);
    // The map is set up while the floor is loading.
    const loading = preloading.then(() => page.load(initial?.ordinal));
    loading.catch(() => {});
    try {
        const maplibregl = await library;
        if (context.signal.aborted) return null;
        await page.open(maplibregl, loading, initial?.ordinal, query.get("place"), target);
    } catch (error) {
        if (!(error instanceof MapLibraryMissing)) throw error;
        fill(context.root, emptyState({ title: localized("map.noLibrary"), text: localized("map.noLibraryHelp"), iconName: "map" }));
        return null;
    }
    return page;
}

class MapPage {
    #context;
    #venueKey;
    #live;
    #floors = [];
    #floor = null;
    /** The ordinal of the floor that was chosen last. It differs from the current floor while the chosen one is loading. */
    #targetOrdinal = null;
    #places = [];
    #map;
    #picker = new FloorPicker((floor) => this.#goToFloor(floor));
    #panel;
    #frame;
    #editing;
    #selected = null;
    /** The number of features of the whole venue. */
    featureCount = Infinity;
    /** The places of the other loaded floors, for searches; null until they are needed. */
    #otherPlaces = null;

    constructor(context, venueKey, live) {
        this.#context = context;
        this.#venueKey = venueKey;
        this.#live = live;
        this.#live.addEventListener("changes", ({ detail }) => this.#applyChanges(detail));
        this.#live.addEventListener("state", ({ detail }) => this.#frame?.setState(detail, this.#live));
        this.#live.addEventListener("problem", ({ detail }) => this.#showError(detail));
    }

    /** Loads a floor unless it is loaded already; the venue-wide part if `ordinal` is undefined. */
    async load(ordinal) {
        const level = ordinal === undefined ? "venue" : `ordinal:${ordinal}`;
        if (!this.#live.holds(level)) await this.#live.load([level]);
    }

    async open(maplibregl, loading, ordinal, placeId, target) {
        const replica = this.#live;
        this.#editing = this.#makeEditing();
        this.#panel = new SearchPanel({
            places: (isEverywhere) => (isEverywhere ? [...this.#places, ...this.#placesOnOtherFloors()] : this.#places),
            floor: () => this.#floor,
            floorOf: (place) => this.#floors.find(({ ids }) => ids.has(place.level)) ?? this.#floor,
            center: () => this.#selected?.point ?? this.#map?.center ?? [0, 0],
            onPick: (place, options) => this.#pick(place, options),
            onResults: (places) => this.#map?.showResults(places),
            onNearest: (kind, place) => this.#showNearest(kind, place),
            onResize: () => this.#map?.fitBesideSheet(),
            onSearch: () => this.#loadAll(),
            cardTools: (place) => this.#editing.cardTools(place),
            listTools: () => this.#editing.listTools(),
        });
        this.#frame = mapFrame({
            picker: this.#picker.element, panel: this.#panel.element,
            onZoom: (by) => this.#map.zoom(by), onFit: () => this.#map.fit(),
        });
        fill(this.#context.root, this.#frame.element);
        this.#map = new VenueMap(maplibregl, this.#frame.canvas, replica, {
            signal: this.#context.signal, padding: (margin) => this.#frame.padding(margin), onTap: (place) => this.#editing.isBusy || this.#pick(place),
        });
        // For tests and measurements only.
        this.#frame.element.venueMap = this.#map;
        await Promise.all([loading, this.#map.ready]);
        if (this.#context.signal.aborted) return;
        // The requested floor may have been removed since.
        await this.load(this.#findFloor(ordinal)?.ordinal);
        if (this.#context.signal.aborted) return;
        const floor = this.#findFloor(ordinal);
        this.#updateTitle();
        if (floor) this.#showFloor(floor);
        else this.#frame.setNote(localized("map.noFloors"));
        const place = this.#places.find(({ id }) => id === placeId);
        if (place) this.#pick(place);
        if (target?.at) showPin(this.#map.mapLibre, target.at);
        this.#frame.setState(this.#live.state, replica);
        this.#live.follow();
        this.#editing.start();
        // Opening states change while the page is open.
        const timer = setInterval(() => this.#panel.tick(), 30_000);
        this.#context.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    }

    #makeEditing() {
        return new Editing({
            venueKey: this.#venueKey, live: this.#live, signal: this.#context.signal,
            floor: () => this.#floor, places: () => this.#places, map: () => this.#map, frame: () => this.#frame,
            refresh: () => this.#panel.refresh(), pickWhenShown: (id) => this.#pickWhenShown(id),
        });
    }

    retranslate() {
        this.#floors = floorsOf(this.#live);
        this.#floor = this.#floors.find(({ ordinal }) => ordinal === this.#floor?.ordinal) ?? this.#floor;
        this.#updateTitle();
        this.#makePlaces();
        this.#frame.retranslate();
        this.#frame.setState(this.#live.state, this.#live);
        this.#picker.show(this.#floors, this.#floor);
        this.#panel.retranslate();
        this.#map.retranslate(this.#places);
    }

    #updateTitle() {
        const replica = this.#live;
        const feature = replica.featuresOf(null).find(({ type }) => type === "venue");
        const name = labelText(feature?.properties.name, replica.about.language) ?? this.#venueKey;
        this.#context.setTitle(name);
        this.#frame.setTitle(name);
    }

    // Floors

    /** The floor of an ordinal, or else the initial floor. */
    #findFloor(ordinal) {
        this.#floors = floorsOf(this.#live);
        return this.#floors.find((each) => each.ordinal === ordinal) ?? initialFloor(this.#floors);
    }

    /** Loads and shows a floor. Returns false if loading failed or the user has chosen another floor in the meantime. */
    async #goToFloor({ ordinal, title }) {
        const isLoaded = this.#live.holds(`ordinal:${ordinal}`);
        this.#targetOrdinal = ordinal;
        this.#frame.setNote(isLoaded ? null : localized("map.loadingFloor", { floor: title }));
        const error = await this.load(ordinal).then(() => null, (error) => error);
        if (this.#targetOrdinal !== ordinal || this.#context.signal.aborted) return false;
        this.#frame.setNote(null);
        const floor = error ? null : this.#findFloor(ordinal);
        if (floor?.ordinal === ordinal) this.#showFloor(floor);
        else {
            this.#targetOrdinal = this.#floor.ordinal;
            if (error) this.#showError(error);
        }
        return this.#floor.ordinal === ordinal;
    }

    #showFloor(floor) {
        this.#floor = floor;
        this.#targetOrdinal = floor.ordinal;
        this.#otherPlaces = null;
        this.#makePlaces();
        this.#map.show(floor, this.#places);
        this.#picker.show(this.#floors, floor);
        if (this.#selected && !floor.ids.has(this.#selected.level)) this.#select(null);
        else this.#panel.refresh();
        this.#updateURL();
    }

    #makePlaces() {
        this.#places = this.#floor ? placesOf(this.#floor, this.#live) : [];
        this.#otherPlaces = null;
    }

    #placesOnOtherFloors() {
        this.#otherPlaces ??= this.#floors.filter(({ ordinal }) => ordinal !== this.#floor?.ordinal)
            .flatMap((floor) => placesOf(floor, this.#live));
        return this.#otherPlaces;
    }

    /** Loads all floors, because a search covers the whole venue. */
    #loadAll() {
        const levels = this.#floors.map(({ ordinal }) => `ordinal:${ordinal}`);
        if (this.featureCount > fullSearchLimit || levels.every((level) => this.#live.holds(level))) return;
        this.#live.load(levels).catch((error) => this.#showError(error));
    }

    #showError(error) {
        if (!this.#context.signal.aborted) toast(error.title || error.message, "problem");
    }

    // Places

    async #pick(place, { focus = false } = {}) {
        const floor = place && this.#floors.find(({ ids }) => ids.has(place.level));
        if (floor && floor.ordinal !== this.#floor?.ordinal && !(await this.#goToFloor(floor))) return;
        this.#select(place, focus);
        if (place && focus) this.#map.goTo(place);
    }

    /** Shows the card of a place that was just added, when its revision has arrived. */
    #pickWhenShown(id) {
        const place = this.#places.find((each) => each.id === id);
        if (place) this.#pick(place, { focus: true });
        else this.#live.addEventListener("changes", () => this.#pickWhenShown(id), { once: true, signal: this.#context.signal });
    }

    #select(place, focus = false) {
        this.#selected = place;
        this.#map.select(place);
        this.#panel.show(place, { focus });
        this.#updateURL();
    }

    #showNearest(kind, from) {
        this.#map.select(null);
        this.#panel.showNearest(kind);
        this.#selected = from;
    }

    /** Writes the floor and the place into the URL, so that it can be shared. */
    #updateURL() {
        if (!this.#floor) return;
        const query = new URLSearchParams({ floor: this.#floor.ordinal });
        if (this.#selected) query.set("place", this.#selected.id);
        history.replaceState(null, "", `#/${this.#venueKey}?${query}`);
    }

    // Changes

    #applyChanges({ added, changed, removed, revision }) {
        if (!this.#map || !this.#floor) return;
        let floor = this.#findFloor(this.#floor.ordinal);
        if (!floor) return;
        if (floor.ordinal === this.#floor.ordinal) this.#redraw(floor);
        else {
            // The floor was removed. The floor that replaces it may have to be loaded first.
            floor = this.#findFloor(this.#targetOrdinal);
            this.#goToFloor(floor);
        }
        this.#updateTitle();
        this.#frame.setState(this.#live.state, this.#live);
        // The same revision: a floor was loaded, nothing was published.
        if (this.#frame.revision === revision) return;
        this.#frame.revision = revision;
        const touches = ({ before, after }) => floor.ids.has(before?.level) || floor.ids.has(after?.level);
        const onFloor = [...added, ...changed, ...removed].filter(touches);
        this.#map.flash(new Set([...added, ...changed].filter(touches).map(({ id }) => id)));
        const message = onFloor.length > 0 ? "map.changesHere" : "map.changesElsewhere";
        toast(localized(message, { revision, n: onFloor.length, floor: floor.title }));
    }

    #redraw(floor) {
        this.#floor = floor;
        this.#makePlaces();
        this.#map.update(floor, this.#places);
        this.#picker.show(this.#floors, floor);
        const id = this.#selected?.id;
        this.#selected = [...this.#places, ...this.#placesOnOtherFloors()].find((place) => place.id === id) ?? null;
        // Keeps the results of a search that the user has begun in the meantime.
        if (!this.#panel.hasCard) return this.#panel.refresh();
        this.#map.select(this.#selected);
        this.#panel.show(this.#selected);
    }
}
