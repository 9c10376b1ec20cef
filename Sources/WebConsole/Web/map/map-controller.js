// Connects the replica, the map, the floor picker and the search panel. Loads the floors that the user opens.

import { Editing } from "./editing/editing.js";
import { kioskLabelScale, startKiosk } from "./kiosk.js";
import { CutOffLoader } from "./cut-off-loader.js";
import { DirectionsLoader } from "./directions-loader.js";
import { FloorPicker } from "./floor-picker.js";
import { PlaceSearch } from "./place-search.js";
import { SearchPanel } from "./search-panel.js";
import { showFirstOutline } from "./first-outline.js";
import { VenueFloors } from "./venue-floors.js";
import { VenueMap } from "./venue-map.js";
import { distanceOrigin } from "./distance-origin.js";
import { fill } from "../ui/element.js";
import { announceChanges } from "./map-changes.js";
import { initialFloor } from "./floors.js";
import { mapFrame } from "./map-frame.js";
import { nextTask } from "../ui/next-task.js";
import { MapAddress } from "./map-address.js";
import { MapTitle } from "./map-title.js";
import { LinkedPosition } from "./linked-position.js";
import { placeOfLink } from "./linked-place.js";
import { errorText, floorErrorText } from "../ui/error-text.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

export class MapController {
    #context;
    #venueKey;
    #live;
    #floors;
    #map;
    #picker = new FloorPicker((floor) => this.#goToFloor(floor, { isNewEntry: !this.#directions?.isOpen }));
    #panel;
    #directions = null;
    #cutOff;
    #frame;
    #editing;
    #selected = null;
    #hasFloors = true;
    /** Whether a floor is drawn, and whether it has changed before. */
    #isDrawn = false;
    #hasChanged = false;
    #address;
    /** See `mapMode`. */
    #mode;
    #kiosk = null;
    /** The `LinkedPosition` of a link that has one. */
    #linked = null;
    /** Whether the user has opened another place or floor than that of the link that opened the page. */
    #isLinkLeft = false;
    #title;

    constructor(context, venueKey, live) {
        this.#context = context;
        this.#venueKey = venueKey;
        this.#live = live;
        this.#floors = new VenueFloors(live);
        this.#live.addEventListener("changes", ({ detail }) => this.#applyChanges(detail));
        this.#live.addEventListener("state", ({ detail }) => this.#frame?.setState(detail, this.#live));
        this.#live.addEventListener("problem", ({ detail }) => this.#showError(detail));
    }

    /** Loads a floor unless it is loaded already; the venue-wide part if `ordinal` is undefined. */
    load(ordinal) {
        return this.#floors.load(ordinal);
    }

    /**
     * `mode` is that of `mapMode`, `target` that of `linkTarget`, `appearance` an `Appearance`, `basemap` the setting, or null, `featureCount`
     * the number of features of the whole venue, `outlines` that of `showFirstOutline`.
     */
    async open(maplibregl, loading, ordinal, query, { outlines, target, mode, appearance, basemap, featureCount }) {
        this.#mode = mode;
        Object.assign(this.#floors, { featureCount, appearance });
        this.#address = new MapAddress(this.#venueKey, mode, () => this.#panel.parameters);
        this.#editing = new Editing({
            venueKey: this.#venueKey, live: this.#live, signal: this.#context.signal,
            floors: this.#floors, floor: () => this.#floors.current, places: () => this.#floors.places, map: () => this.#map, frame: () => this.#frame,
            refresh: () => this.#panel.refresh(), pickWhenShown: (id) => this.#pickWhenShown(id),
        });
        this.#directions = this.#makeDirections();
        this.#cutOff = new CutOffLoader(query, {
            venue: this.#venueKey, live: this.#live, floors: this.#floors, address: this.#address, mode, signal: this.#context.signal,
            map: () => this.#map, frame: () => this.#frame, updateURL: () => this.#updateURL(), onError: (error) => this.#showError(error),
        });
        this.#panel = this.#makePanel();
        this.#frame = mapFrame({
            picker: this.#picker.element, panel: this.#panel.element, floors: this.#floors, mode, attribution: basemap?.attribution,
            tools: {
                onZoom: (by) => this.#map?.zoom(by), onFit: () => this.#map?.fit(), onNorth: () => this.#map?.faceNorth(),
                onWalls: () => this.#map?.toggleWalls({ isRemembered: !mode.isKiosk }), hasWalls: () => this.#map?.hasWalls ?? false,
                onShare: mode.isPreview ? null : () => this.#address.share(this.#floors.current, this.#selected),
            },
        });
        this.#title = new MapTitle({
            context: this.#context, venueKey: this.#venueKey, live: this.#live, frame: this.#frame, logo: appearance.logo,
            panel: this.#panel, mode,
        });
        fill(this.#context.root, this.#frame.element);
        await nextTask();
        if (this.#context.signal.aborted) return;
        this.#map = new VenueMap(maplibregl, this.#frame.canvas, this.#live, {
            appearance, labelScale: mode.isKiosk ? kioskLabelScale : 1, signal: this.#context.signal,
            padding: (margin) => this.#frame.padding(margin), covers: () => this.#frame.covers(),
            onTap: (place, at) => this.#editing.isBusy || this.#directions.takes(place, at) || this.#pick(place, { isNewEntry: place !== null }),
        });
        this.#frame.element.venueMap = this.#map; // For tests and measurements only.
        this.#frame.follow(this.#map.mapLibre);
        this.#map.mapLibre.on("moveend", () => this.#panel.followMap());
        const shown = { floors: this.#floors, map: this.#map, frame: this.#frame, title: this.#title, signal: this.#context.signal };
        await showFirstOutline(loading, { outlines, ordinal, ...shown });
        if (this.#context.signal.aborted) return;
        // The requested floor may have been removed since.
        await this.load(this.#floors.find(ordinal)?.ordinal);
        if (this.#context.signal.aborted) return;
        const floor = this.#floors.find(ordinal);
        this.#title.update();
        if (mode.isKiosk) {
            this.#kiosk = startKiosk(this.#map, mode, floor, { live: this.#live, signal: this.#context.signal, onIdle: (home) => this.#showStart(home) });
        }
        if (floor) await this.#showFirstFloor(floor);
        else {
            this.#hasFloors = false;
            this.#frame.showNoFloors();
            this.#panel.refresh();
        }
        if (this.#context.signal.aborted) return;
        if (basemap) this.#map.showBasemap(basemap);
        // Not instead of what the user has begun to search meanwhile.
        if (floor && !mode.isKiosk && Object.keys(this.#panel.parameters).length === 0) this.#panel.restore(query);
        if (query.get("place") && !this.#isLinkLeft) await this.#openPlace(query.get("place"));
        if (this.#context.signal.aborted) return;
        if (target?.at && !this.#isLinkLeft) this.#showLinked(target, query);
        if (floor && !mode.isKiosk && !this.#isLinkLeft) await this.#directions.follow(query);
        if (this.#context.signal.aborted) return;
        if (floor) this.#cutOff.follow(query);
        this.#frame.setState(this.#live.state, this.#live);
        this.#follow();
        this.#panel.followTime(this.#context.signal);
    }

    /** What does not have to be there at first begins when the floor is on the screen. */
    async #follow() {
        if (this.#isDrawn) await this.#map.drawn();
        if (this.#context.signal.aborted) return;
        this.#live.follow();
        if (!this.#mode.isEmbedded && !this.#mode.isKiosk && !this.#mode.isPreview) this.#editing.start();
    }

    /** The start view of a kiosk: its whole floor, without a search and without a place. */
    async #showStart(ordinal) {
        this.#directions.end();
        this.#panel.reset();
        this.#select(null);
        const floor = this.#floors.all.find((each) => each.ordinal === ordinal);
        if (floor && floor.ordinal !== this.#floors.current?.ordinal && !(await this.#goToFloor(floor))) return;
        this.#map.fit();
    }

    #makePanel() {
        const search = new PlaceSearch(this.#venueKey, this.#live, this.#floors, {
            origin: () => distanceOrigin({
                near: this.#panel.near, floorOf: (place) => this.#floors.floorOf(place), kiosk: this.#kiosk, linked: this.#linked, middle: this.#map?.center,
            }),
            signal: this.#context.signal, onChange: () => this.#panel.refresh(),
            onError: (error) => this.#showError(error),
        });
        return new SearchPanel({
            search, floor: () => this.#floors.current, onPick: (place, options) => this.#directions.takes(place) || this.#pick(place, options),
            onFloor: (floor) => this.#goToFloor(floor, { isNewEntry: true }), onSearch: () => this.#updateURL(),
            onResults: (groups) => this.#showResults(groups),
            onNearest: (kind, place) => this.#showNearest(kind, place), onClear: () => this.#select(null),
            onShare: this.#mode.isPreview ? null : (place) => this.#address.share(this.#floors.current, place),
            onDirections: (place, from) => this.#directions.openTo(place, from),
            hasFloors: () => this.#hasFloors, hasLinks: () => !this.#mode.isKiosk, onResize: () => this.#map?.fitBesideSheet(),
            cardTools: (place) => this.#editing.cardTools(place), listTools: () => this.#editing.listTools(),
        });
    }

    #makeDirections() {
        return new DirectionsLoader({
            live: this.#live, floors: this.#floors, signal: this.#context.signal, picker: this.#picker, address: this.#address,
            isKiosk: this.#mode.isKiosk, canShare: !this.#mode.isPreview, panel: () => this.#panel, map: () => this.#map,
            position: () => this.#kiosk?.position ?? this.#linked?.position ?? null,
            goToFloor: (floor) => this.#goToFloor(floor), updateURL: (options) => this.#updateURL(options),
            select: (place) => this.#pick(place, { focus: place !== null, isNewEntry: false }),
            leavePlace: () => this.#show(null),
        });
    }

    /** Shows the floor and the place of a URL of this venue: of a link, or when the user goes back or forward. */
    async update({ query }) {
        if (!this.#floors.current) return;
        // The keys of another link are looked at before anything is shown.
        if (query.has("trust")) return location.reload();
        this.#cutOff.follow(query);
        if (await this.#directions.follow(query)) return;
        const id = query.get("place");
        const named = this.#floors.all.find(({ ordinal }) => String(ordinal) === query.get("floor"));
        // Without a floor, a place may be on any: then the floor does not change before it is found.
        const floor = named ?? (id ? this.#floors.current : initialFloor(this.#floors.all));
        if (floor?.ordinal === this.#floors.current.ordinal) this.#stay();
        else if (floor && !(await this.#goToFloor(floor))) return;
        if (id) await this.#openPlace(id);
        else this.#select(null);
        if (!this.#mode.isKiosk) this.#panel.restore(query);
    }

    /** Shows the place of a link. */
    async #openPlace(id) {
        const place = await placeOfLink(id, {
            venueKey: this.#venueKey, floors: this.#floors, signal: this.#context.signal,
            goToFloor: (floor) => this.#goToFloor(floor), onError: (error) => this.#showError(error),
        });
        if (place === undefined) return;
        await this.#pick(place);
        if (place && place === this.#selected) this.#map.goTo(place);
    }

    #showLinked(target, query) {
        this.#linked = new LinkedPosition({
            target, query, mapLibre: this.#map.mapLibre, replica: this.#live, venue: this.#venueKey, floor: this.#floors.current,
            padding: this.#frame.padding(), address: this.#address, signal: this.#context.signal,
            onChange: () => {
                this.#updateURL();
                this.#panel.refresh();
            },
        });
    }

    retranslate() {
        this.#floors.retranslate();
        this.#title.update();
        this.#frame.retranslate();
        this.#frame.setState(this.#live.state, this.#live);
        this.#picker.show(this.#floors.all, this.#floors.current);
        this.#panel.retranslate();
        this.#kiosk?.retranslate();
        this.#map.retranslate(this.#floors.places);
        this.#directions.retranslate();
    }

    // Floors

    /** Loads and shows a floor. Returns false if loading failed or the user has chosen another floor in the meantime. */
    async #goToFloor({ ordinal, title }, { isNewEntry = false } = {}) {
        this.#isLinkLeft ||= isNewEntry;
        this.#floors.targetOrdinal = ordinal;
        this.#frame.setLoading(this.#floors.isLoaded(ordinal) ? null : title);
        const error = await this.load(ordinal).then(() => null, (error) => error);
        if (this.#floors.targetOrdinal !== ordinal || this.#context.signal.aborted) return false;
        this.#frame.setNote(null);
        const floor = error ? null : this.#floors.find(ordinal);
        if (floor?.ordinal === ordinal) {
            this.#drawFloor(floor);
            this.#listFloor(floor, { isNewEntry });
        } else {
            this.#stay();
            if (error) toast(floorErrorText(error, title), "problem");
        }
        return this.#floors.current.ordinal === ordinal;
    }

    /** Shows no longer the floor that is loading. */
    #stay() {
        this.#floors.targetOrdinal = this.#floors.current.ordinal;
        this.#frame.setNote(null);
    }

    /** In several tasks: on a large floor each takes a moment. The list is made when the map is on the screen. */
    async #showFirstFloor(floor) {
        const prepare = nextTask().then(() => this.#floors.show(floor)).then(nextTask).then(() => this.#map.prepare(this.#floors.places));
        await Promise.all([this.#map.showSite(floor), prepare]);
        await nextTask();
        if (this.#context.signal.aborted) return;
        this.#drawFloor(this.#hasChanged ? this.#floors.find(floor.ordinal) : floor);
        await this.#map.painted();
        await nextTask();
        if (!this.#context.signal.aborted) this.#listFloor(this.#floors.current);
    }

    #drawFloor(floor) {
        this.#hasFloors = this.#isDrawn = true;
        this.#floors.show(floor);
        this.#kiosk?.show(floor);
        this.#map.show(floor, this.#floors.places);
        this.#linked?.show(floor);
        this.#picker.show(this.#floors.all, floor);
        this.#directions.showFloor();
    }

    #listFloor(floor, { isNewEntry = false } = {}) {
        if (this.#selected && !floor.ids.has(this.#selected.level)) {
            // The address is updated below: the previous entry keeps its place, to which Back returns.
            this.#show(null);
        } else this.#panel.refresh();
        this.#updateURL({ isNewEntry });
    }

    #showError(error) {
        if (!this.#context.signal.aborted) toast(errorText(error), "problem");
    }

    // Places

    /** Selects a place, also on another floor; null for none. With `isNewEntry` the user has chosen it, and Back returns to what was shown before. */
    async #pick(place, { focus = false, isNewEntry = focus } = {}) {
        this.#isLinkLeft ||= isNewEntry;
        const floor = place && this.#floors.floorOf(place);
        const isElsewhere = floor && floor.ordinal !== this.#floors.current?.ordinal;
        if (isElsewhere && !(await this.#goToFloor(floor, { isNewEntry }))) return;
        if (place && !isElsewhere) this.#stay();
        if (place?.isFound) {
            // Its floor is loaded now. A named unit is drawn as a part of the shop in it.
            const { id } = place;
            place = this.#floors.places.find((each) => each.id === id) ?? this.#floors.places.find(({ unit }) => unit === id) ?? null;
            if (!place) toast(localized("map.placeMissing"));
        }
        // The entry of the floor becomes that of the place: one step back leads to what was shown before.
        this.#select(place, { focus, isNewEntry: isNewEntry && !isElsewhere });
        if (place && focus) this.#map.goTo(place);
    }

    /** Shows the card of a place that was just added, when its revision has arrived. */
    #pickWhenShown(id) {
        const place = this.#floors.places.find((each) => each.id === id);
        if (place) this.#pick(place, { focus: true });
        else this.#live.addEventListener("changes", () => this.#pickWhenShown(id), { once: true, signal: this.#context.signal });
    }

    #select(place, { focus = false, isNewEntry = false } = {}) {
        this.#show(place, { focus });
        this.#updateURL({ isNewEntry });
    }

    /** Shows the card of a place, or the list, without a change of the address. */
    #show(place, { focus = false } = {}) {
        this.#selected = place;
        this.#map.select(place);
        this.#panel.show(place, { focus });
    }

    /** Highlights the results of a search, and marks the floors that have some; null ends this. */
    #showResults(groups) {
        this.#map?.showResults(groups?.flatMap(({ places }) => places) ?? null);
        this.#picker.mark(new Map(groups?.map(({ floor, places }) => [floor?.ordinal, places.length])));
    }

    /** Lists the facilities of a kind, the nearest first, and shows the way from a place to the first one, if that is on its floor. */
    #showNearest(kind, from) {
        this.#map.select(null);
        this.#selected = from;
        const [nearest] = this.#panel.showNearest(kind, from);
        if (nearest) this.#map.select(nearest);
        if (nearest && this.#floors.floorOf(nearest)?.ordinal === this.#floors.floorOf(from)?.ordinal) this.#map.fitPlaces([from, nearest]);
    }

    #updateURL({ isNewEntry = false } = {}) {
        this.#isLinkLeft ||= isNewEntry;
        if (this.#floors.current) this.#address.write(this.#floors.current.ordinal, this.#selected?.id, { isNewEntry });
    }

    // Changes

    #applyChanges(changes) {
        if (!this.#map || !this.#floors.current) return;
        if (!this.#isDrawn) {
            this.#hasChanged = true;
            return;
        }
        this.#directions.changed();
        let floor = this.#floors.find(this.#floors.current.ordinal);
        if (!floor) return;
        if (floor.ordinal === this.#floors.current.ordinal) this.#redraw(floor);
        else {
            // The floor was removed. The floor that replaces it may have to be loaded first.
            floor = this.#floors.find(this.#floors.targetOrdinal);
            this.#goToFloor(floor);
        }
        this.#title.update();
        this.#frame.setState(this.#live.state, this.#live);
        announceChanges(this.#frame, this.#map, floor, changes);
    }

    #redraw(floor) {
        this.#floors.current = floor;
        this.#floors.makePlaces();
        this.#map.update(floor, this.#floors.places);
        this.#linked?.show(floor);
        this.#picker.show(this.#floors.all, floor);
        const id = this.#selected?.id;
        this.#selected = this.#floors.placesEverywhere.find((place) => place.id === id) ?? null;
        // Keeps the results of a search that the user has begun in the meantime.
        if (!this.#panel.hasCard) return this.#panel.refresh();
        this.#map.select(this.#selected);
        this.#panel.show(this.#selected);
    }
}
