// The map of a venue: the floor that is looked at, and what belongs to it.

import { FloorPicker } from "./floor-picker.js";
import { LiveVenue } from "../sync/live-venue.js";
import { NoMapLibrary, mapLibrary } from "./library.js";
import { SearchPanel } from "./search-panel.js";
import { VenueMap } from "./venue-map.js";
import { askJSON } from "../api.js";
import { emptyState, loadingState } from "../ui/states.js";
import { fill } from "../ui/element.js";
import { firstFloor, floorsOf } from "./floors.js";
import { labelText } from "./labels.js";
import { mapFrame } from "./map-frame.js";
import { pin, pointedAt } from "./pointed.js";
import { placesOf } from "./places.js";
import { toast } from "../ui/toast.js";
import { word } from "../words/words.js";

/** Venues up to this size are loaded whole when somebody searches; of larger ones, the floors that were looked at are searched. */
const smallVenue = 20_000;

export async function show(stage, { venue, query }) {
    stage.title(venue);
    fill(stage.root, loadingState());
    const library = mapLibrary();
    library.catch(() => {});
    const page = new MapPage(stage, venue);
    // Most begin with the ground floor or the one in the address, so that comes while it is found out which floors there are. Where
    // there is no such floor, all that came is the venue-wide part.
    const guess = Number.parseInt(query.get("floor") ?? "0", 10) || 0;
    const guessed = query.has("feature") || query.has("at") ? Promise.resolve() : page.load(guess);
    guessed.catch(() => {});
    const about = await askJSON(`/venues/${encodeURIComponent(venue)}`, { signal: stage.signal });
    const ordinals = about.levels.filter(({ ordinal }) => Number.isInteger(ordinal)).map(({ ordinal }) => ({ ordinal }));
    const pointed = await pointedAt(venue, about, query, stage.signal);
    const wanted = pointed?.ordinal ?? Number(query.get("floor") ?? NaN);
    const first = ordinals.find(({ ordinal }) => ordinal === wanted) ?? firstFloor(ordinals);
    page.size = about.levels.reduce((sum, { features }) => sum + features, 0);
    // The map is set up while the floor is on its way.
    const loading = guessed.then(() => page.load(first?.ordinal));
    loading.catch(() => {});
    try {
        const maplibregl = await library;
        if (stage.signal.aborted) return null;
        await page.open(maplibregl, loading, first?.ordinal, query.get("place"), pointed);
    } catch (error) {
        if (!(error instanceof NoMapLibrary)) throw error;
        fill(stage.root, emptyState({ title: word("map.noLibrary"), text: word("map.noLibraryHelp"), picture: "map" }));
        return null;
    }
    return page;
}

class MapPage {
    #stage;
    #venue;
    #live;
    #floors = [];
    #floor = null;
    /** The ordinal of the floor that is shown next: another than the one shown while it is on its way. */
    #goal = null;
    #places = [];
    #map;
    #picker = new FloorPicker((floor) => this.#goToFloor(floor));
    #panel;
    #frame;
    #selected = null;
    /** How many features the venue has on all floors. */
    size = Infinity;
    /** Of floors that are not looked at, for searches; made when asked for. */
    #elsewhere = null;

    constructor(stage, venue) {
        this.#stage = stage;
        this.#venue = venue;
        this.#live = new LiveVenue(venue, stage.signal);
        this.#live.addEventListener("changes", ({ detail }) => this.#took(detail));
        this.#live.addEventListener("state", ({ detail }) => this.#frame?.setState(detail, this.#live.replica));
        this.#live.addEventListener("problem", ({ detail }) => this.#complain(detail));
    }

    /** Has a floor loaded, unless it is there; without one, the venue-wide part. */
    async load(ordinal) {
        const level = ordinal === undefined ? "venue" : `ordinal:${ordinal}`;
        if (!this.#live.holds(level)) await this.#live.want([level]);
    }

    async open(maplibregl, loading, ordinal, placeId, pointed) {
        const { replica } = this.#live;
        this.#panel = new SearchPanel({
            places: (isEverywhere) => (isEverywhere ? [...this.#places, ...this.#placesElsewhere()] : this.#places),
            floor: () => this.#floor,
            floorOf: (place) => this.#floors.find(({ ids }) => ids.has(place.level)) ?? this.#floor,
            center: () => this.#selected?.point ?? this.#map?.center ?? [0, 0],
            onPick: (place, options) => this.#pick(place, options),
            onFound: (places) => this.#map?.found(places),
            onNearest: (kind, place) => this.#nearest(kind, place),
            onResize: () => this.#map?.makeRoom(),
            onSearch: () => this.#loadAll(),
        });
        this.#frame = mapFrame({
            picker: this.#picker.element, panel: this.#panel.element,
            onZoom: (by) => this.#map.zoom(by), onFit: () => this.#map.fit(),
        });
        fill(this.#stage.root, this.#frame.element);
        this.#map = new VenueMap(maplibregl, this.#frame.canvas, replica, {
            signal: this.#stage.signal, padding: (more) => this.#frame.padding(more), onTap: (place) => this.#pick(place),
        });
        // For those who measure and test; nothing here reads it.
        this.#frame.element.venueMap = this.#map;
        await Promise.all([loading, this.#map.ready]);
        if (this.#stage.signal.aborted) return;
        // The floor that was asked for may have been taken away since.
        await this.load(this.#findFloor(ordinal)?.ordinal);
        if (this.#stage.signal.aborted) return;
        const floor = this.#findFloor(ordinal);
        this.#nameStage();
        if (floor) this.#showFloor(floor);
        else this.#frame.busy(word("map.noFloors"));
        const place = this.#places.find(({ id }) => id === placeId);
        if (place) this.#pick(place);
        if (pointed?.at) pin(this.#map.library, pointed.at);
        this.#frame.setState(this.#live.state, replica);
        this.#live.follow();
        // Shops open and close while the page stands.
        const minute = setInterval(() => this.#panel.tick(), 30_000);
        this.#stage.signal.addEventListener("abort", () => clearInterval(minute), { once: true });
    }

    retranslate() {
        this.#floors = floorsOf(this.#live.replica);
        this.#floor = this.#floors.find(({ ordinal }) => ordinal === this.#floor?.ordinal) ?? this.#floor;
        this.#nameStage();
        this.#makePlaces();
        this.#frame.retranslate();
        this.#frame.setState(this.#live.state, this.#live.replica);
        this.#picker.show(this.#floors, this.#floor);
        this.#panel.retranslate();
        this.#map.retranslate(this.#places);
    }

    #nameStage() {
        const { replica } = this.#live;
        const feature = replica.featuresOf(null).find(({ feature_type: type }) => type === "venue");
        const name = labelText(feature?.properties.name, replica.about.language) ?? this.#venue;
        this.#stage.title(name);
        this.#frame.name(name);
    }

    // Floors

    /** The floor of an ordinal, or the one to begin with. */
    #findFloor(ordinal) {
        this.#floors = floorsOf(this.#live.replica);
        return this.#floors.find((each) => each.ordinal === ordinal) ?? firstFloor(this.#floors);
    }

    /** Shows a floor once all of it is there. False when it did not come, or somebody went elsewhere in the meantime. */
    async #goToFloor({ ordinal, title }) {
        const isThere = this.#live.holds(`ordinal:${ordinal}`);
        this.#goal = ordinal;
        this.#frame.busy(isThere ? null : word("map.loadingFloor", { floor: title }));
        const error = await this.load(ordinal).then(() => null, (error) => error);
        if (this.#goal !== ordinal || this.#stage.signal.aborted) return false;
        this.#frame.busy(null);
        const floor = error ? null : this.#findFloor(ordinal);
        if (floor?.ordinal === ordinal) this.#showFloor(floor);
        else {
            this.#goal = this.#floor.ordinal;
            if (error) this.#complain(error);
        }
        return this.#floor.ordinal === ordinal;
    }

    #showFloor(floor) {
        this.#floor = floor;
        this.#goal = floor.ordinal;
        this.#elsewhere = null;
        this.#makePlaces();
        this.#map.show(floor, this.#places);
        this.#picker.show(this.#floors, floor);
        if (this.#selected && !floor.ids.has(this.#selected.level)) this.#select(null);
        else this.#panel.refresh();
        this.#remember();
    }

    #makePlaces() {
        this.#places = this.#floor ? placesOf(this.#floor, this.#live.replica) : [];
        this.#elsewhere = null;
    }

    #placesElsewhere() {
        this.#elsewhere ??= this.#floors.filter(({ ordinal }) => ordinal !== this.#floor?.ordinal)
            .flatMap((floor) => placesOf(floor, this.#live.replica));
        return this.#elsewhere;
    }

    /** Whoever searches wants to find what is on other floors, too. */
    #loadAll() {
        const levels = this.#floors.map(({ ordinal }) => `ordinal:${ordinal}`);
        if (this.size > smallVenue || levels.every((level) => this.#live.holds(level))) return;
        this.#live.want(levels).catch((error) => this.#complain(error));
    }

    #complain(error) {
        if (!this.#stage.signal.aborted) toast(error.title || error.message, "problem");
    }

    // Places

    async #pick(place, { focus = false } = {}) {
        const floor = place && this.#floors.find(({ ids }) => ids.has(place.level));
        if (floor && floor.ordinal !== this.#floor?.ordinal && !(await this.#goToFloor(floor))) return;
        this.#select(place, focus);
        if (place && focus) this.#map.goTo(place);
    }

    #select(place, focus = false) {
        this.#selected = place;
        this.#map.select(place);
        this.#panel.show(place, { focus });
        this.#remember();
    }

    #nearest(kind, from) {
        this.#map.select(null);
        this.#panel.nearest(kind);
        this.#selected = from;
    }

    /** The address names what is shown, so that it can be handed on. */
    #remember() {
        if (!this.#floor) return;
        const query = new URLSearchParams({ floor: this.#floor.ordinal });
        if (this.#selected) query.set("place", this.#selected.id);
        history.replaceState(null, "", `#/${this.#venue}?${query}`);
    }

    // News

    #took({ added, changed, removed, revision }) {
        if (!this.#map || !this.#floor) return;
        let floor = this.#findFloor(this.#floor.ordinal);
        if (!floor) return;
        if (floor.ordinal === this.#floor.ordinal) this.#redraw(floor);
        else {
            // The floor was taken away. What is shown in its place may have to be fetched first.
            floor = this.#findFloor(this.#goal);
            this.#goToFloor(floor);
        }
        this.#nameStage();
        this.#frame.setState(this.#live.state, this.#live.replica);
        // A floor that was asked for is no news.
        if (this.#frame.revision === revision) return;
        this.#frame.revision = revision;
        const touches = ({ before, after }) => floor.ids.has(before?.level) || floor.ids.has(after?.level);
        const here = [...added, ...changed, ...removed].filter(touches);
        this.#map.flash(new Set([...added, ...changed].filter(touches).map(({ id }) => id)));
        toast(word(here.length > 0 ? "map.news" : "map.newsElsewhere", { revision, n: here.length, floor: floor.title }));
    }

    #redraw(floor) {
        this.#floor = floor;
        this.#makePlaces();
        this.#map.update(floor, this.#places);
        this.#picker.show(this.#floors, floor);
        const id = this.#selected?.id;
        this.#selected = [...this.#places, ...this.#placesElsewhere()].find((place) => place.id === id) ?? null;
        // What somebody searches meanwhile stays.
        if (!this.#panel.hasCard) return this.#panel.refresh();
        this.#map.select(this.#selected);
        this.#panel.show(this.#selected);
    }
}
