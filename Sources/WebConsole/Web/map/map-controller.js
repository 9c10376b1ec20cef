// Connects the replica, the map, the floor picker and the search panel. Loads the floors that the user opens.

import { Editing } from "./editing/editing.js";
import { FloorPicker } from "./floor-picker.js";
import { SearchPanel } from "./search-panel.js";
import { VenueMap } from "./venue-map.js";
import { fill } from "../ui/element.js";
import { floorsOf, initialFloor } from "./floors.js";
import { labelText } from "./labels.js";
import { mapFrame } from "./map-frame.js";
import { MapAddress } from "./map-address.js";
import { floorOfFeature, showPin } from "./link-target.js";
import { placesOf } from "./places.js";
import { errorText } from "../ui/error-text.js";
import { share } from "./share.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

/**
 * Venues with up to this number of features are loaded completely when the user begins to search. In larger ones, a search covers
 * the floors that were opened until the user asks for the others.
 */
const fullSearchLimit = 20_000;

export class MapController {
    #context;
    #venueKey;
    #live;
    #floors = [];
    #floor = null;
    /** The ordinal of the floor that was chosen last. It differs from the current floor while the chosen one is loading. */
    #targetOrdinal = null;
    #places = [];
    #map;
    #picker = new FloorPicker((floor) => this.#goToFloor(floor, { isNewEntry: true }));
    #panel;
    #frame;
    #editing;
    #selected = null;
    /** The number of features of the whole venue. */
    featureCount = Infinity;
    /** The levels of `GET /venues/{venue}`. */
    levels = [];
    #hasFloors = true;
    #address;
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

    async open(maplibregl, loading, ordinal, query, target) {
        const replica = this.#live;
        this.#address = new MapAddress(this.#venueKey, query);
        this.#editing = this.#makeEditing();
        this.#panel = new SearchPanel({
            places: (isEverywhere) => (isEverywhere ? [...this.#places, ...this.#placesOnOtherFloors()] : this.#places),
            floor: () => this.#floor,
            floorOf: (place) => this.#floors.find(({ ids }) => ids.has(place.level)) ?? this.#floor,
            center: () => this.#selected?.point ?? this.#map?.center ?? [0, 0],
            onPick: (place, options) => this.#pick(place, options),
            onResults: (places) => this.#map?.showResults(places),
            onNearest: (kind, place) => this.#showNearest(kind, place),
            onClear: () => this.#deselect(),
            onShare: (place) => this.#share(place),
            hasFloors: () => this.#hasFloors,
            missingFloors: () => this.#missingFloors().length,
            onLoadAll: () => this.#load(this.#missingFloors()),
            onResize: () => this.#map?.fitBesideSheet(),
            onSearch: () => this.#loadAll(),
            cardTools: (place) => this.#editing.cardTools(place),
            listTools: () => this.#editing.listTools(),
        });
        this.#frame = mapFrame({
            picker: this.#picker.element, panel: this.#panel.element,
            tools: {
                onZoom: (by) => this.#map.zoom(by), onFit: () => this.#map.fit(), onNorth: () => this.#map.faceNorth(),
                onShare: () => this.#share(this.#selected),
            },
        });
        this.#frame.element.classList.toggle("is-embedded", this.#address.isEmbedded);
        fill(this.#context.root, this.#frame.element);
        this.#map = new VenueMap(maplibregl, this.#frame.canvas, replica, {
            signal: this.#context.signal, padding: (margin) => this.#frame.padding(margin),
            onTap: (place) => this.#editing.isBusy || this.#pick(place, { isNewEntry: place !== null }),
        });
        // For tests and measurements only.
        this.#frame.element.venueMap = this.#map;
        this.#frame.follow(this.#map.mapLibre);
        await Promise.all([loading, this.#map.ready]);
        if (this.#context.signal.aborted) return;
        // The requested floor may have been removed since.
        await this.load(this.#findFloor(ordinal)?.ordinal);
        if (this.#context.signal.aborted) return;
        const floor = this.#findFloor(ordinal);
        this.#updateTitle();
        if (floor) this.#showFloor(floor);
        else this.#showNoFloors();
        if (query.get("place")) await this.#openPlace(query.get("place"));
        if (this.#context.signal.aborted) return;
        if (target?.at) this.#showPin(target, query);
        this.#frame.setState(this.#live.state, replica);
        this.#live.follow();
        if (!this.#address.isEmbedded) this.#editing.start();
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

    /** Shows the floor and the place of a URL of this venue, when the user goes back or forward. */
    async update({ query }) {
        if (!this.#floor) return;
        const floor = this.#floors.find(({ ordinal }) => String(ordinal) === query.get("floor")) ?? initialFloor(this.#floors);
        if (floor && floor.ordinal !== this.#floor?.ordinal && !(await this.#goToFloor(floor))) return;
        const place = this.#places.find(({ id }) => id === query.get("place")) ?? null;
        this.#select(place);
        if (place) this.#map.goTo(place);
    }

    /** Shows the place of a link. It may be on another floor than the link says, or the link may not say one. */
    async #openPlace(id) {
        const find = () => this.#places.find((place) => place.id === id);
        if (!find()) {
            const ordinal = await floorOfFeature(this.#venueKey, this.levels, id, this.#context.signal).catch(() => null);
            const floor = this.#floors.find((each) => each.ordinal === ordinal);
            if (floor && floor.ordinal !== this.#floor?.ordinal) await this.#goToFloor(floor);
        }
        const place = find();
        if (!place) return toast(localized("map.placeMissing"));
        this.#select(place);
        this.#map.goTo(place);
    }

    /** Shows the position of a link. The address keeps it until the pin is removed. */
    #showPin(target, query) {
        this.#address.keepPin(query);
        const onRemove = () => {
            this.#address.dropPin();
            this.#updateURL();
        };
        const { left, right, top, bottom } = this.#frame.padding();
        showPin(this.#map.mapLibre, target, {
            venue: this.#venueKey, onRemove, offset: [(left - right) / 2, (top - bottom) / 2],
        });
        this.#updateURL();
    }

    #showNoFloors() {
        this.#hasFloors = false;
        this.#frame.setNote(localized("map.noFloors"));
        this.#panel.refresh();
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
    async #goToFloor({ ordinal, title }, { isNewEntry = false } = {}) {
        const isLoaded = this.#live.holds(`ordinal:${ordinal}`);
        this.#targetOrdinal = ordinal;
        this.#frame.setNote(isLoaded ? null : localized("map.loadingFloor", { floor: title }));
        const error = await this.load(ordinal).then(() => null, (error) => error);
        if (this.#targetOrdinal !== ordinal || this.#context.signal.aborted) return false;
        this.#frame.setNote(null);
        const floor = error ? null : this.#findFloor(ordinal);
        if (floor?.ordinal === ordinal) this.#showFloor(floor, { isNewEntry });
        else {
            this.#targetOrdinal = this.#floor.ordinal;
            if (error) this.#showError(error);
        }
        return this.#floor.ordinal === ordinal;
    }

    #showFloor(floor, { isNewEntry = false } = {}) {
        this.#hasFloors = true;
        this.#floor = floor;
        this.#targetOrdinal = floor.ordinal;
        this.#otherPlaces = null;
        this.#makePlaces();
        this.#map.show(floor, this.#places);
        this.#picker.show(this.#floors, floor);
        if (this.#selected && !floor.ids.has(this.#selected.level)) {
            // The address is updated below: the previous entry keeps its place, to which Back returns.
            this.#selected = null;
            this.#map.select(null);
            this.#panel.show(null);
        } else this.#panel.refresh();
        this.#updateURL({ isNewEntry });
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
        if (this.featureCount <= fullSearchLimit) this.#load(this.#missingFloors());
    }

    /** The levels that a search does not cover yet, as the replica names them. */
    #missingFloors() {
        return this.#floors.map(({ ordinal }) => `ordinal:${ordinal}`).filter((level) => !this.#live.holds(level));
    }

    #load(levels) {
        if (levels.length > 0) this.#live.load(levels).catch((error) => this.#showError(error));
    }

    #showError(error) {
        if (!this.#context.signal.aborted) toast(errorText(error), "problem");
    }

    // Places

    /** Selects a place that the user has chosen, so that Back returns to what was shown before; null for none. */
    async #pick(place, { focus = false, isNewEntry = focus } = {}) {
        const floor = place && this.#floors.find(({ ids }) => ids.has(place.level));
        if (floor && floor.ordinal !== this.#floor?.ordinal && !(await this.#goToFloor(floor))) return;
        this.#select(place, { focus, isNewEntry });
        if (place && focus) this.#map.goTo(place);
    }

    /** Shows the card of a place that was just added, when its revision has arrived. */
    #pickWhenShown(id) {
        const place = this.#places.find((each) => each.id === id);
        if (place) this.#pick(place, { focus: true });
        else this.#live.addEventListener("changes", () => this.#pickWhenShown(id), { once: true, signal: this.#context.signal });
    }

    #select(place, { focus = false, isNewEntry = false } = {}) {
        this.#selected = place;
        this.#map.select(place);
        this.#panel.show(place, { focus });
        this.#updateURL({ isNewEntry });
    }

    /** Ends the selection when a search has closed the card. */
    #deselect() {
        this.#selected = null;
        this.#map.select(null);
        this.#updateURL();
    }

    /** Shares a link to a place, or to the floor if there is none. */
    #share(place) {
        share(this.#address.link(this.#floor?.ordinal ?? 0, place?.id), place?.name ?? document.title);
    }

    #showNearest(kind, from) {
        this.#map.select(null);
        this.#panel.showNearest(kind);
        this.#selected = from;
    }

    #updateURL({ isNewEntry = false } = {}) {
        if (this.#floor) this.#address.write(this.#floor.ordinal, this.#selected?.id, { isNewEntry });
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
