// Directions: what was asked for, the answer, and the step that is shown, in the panel and on the map. The page loads this module when
// directions are opened for the first time.

import "./messages.js";
import { announce } from "../../ui/toast.js";
import { answerView, choosingView, replaceView } from "./directions-view.js";
import { Descriptions } from "./descriptions.js";
import { endOfPlace, isSameEnd, profiles, requestParameters } from "./request.js";
import { isolated } from "../../ui/names.js";
import { landmarksOf } from "./landmarks.js";
import { localized } from "../../localization/localization.js";
import { openState } from "../hours-view.js";
import { pause } from "../../retry.js";
import { reasonTexts, totalText } from "./sentences.js";
import { RouteLayer } from "./route-layer.js";
import { Wayfinder } from "./wayfinder.js";

/** How long the floors that are not loaded are waited for before an answer without them, in milliseconds. */
const loadingTime = 3_000;

export class Directions {
    #page;
    #wayfinder;
    #layer;
    #descriptions;
    #request = { from: null, to: null, profile: profiles[0] };
    /** The parameters of the address that could not be read, as of `parseRequest`. */
    #faults = new Map();
    /** The end that is chosen now, `from` or `to`; null while the answer is shown. */
    #choosing = null;
    #answer = null;
    /** Of what the answer was made, as of `Wayfinder.contents`. */
    #contents = null;
    #legs = [];
    #index = 0;
    #element = null;
    /** As of `#timeTexts`. */
    #shownTimeTexts = null;
    /** The computation that is going on: a later one replaces it. */
    #computation = null;
    isOpen = false;

    /** `page` is what the page offers, see the constructor of `DirectionsLoader`. */
    constructor(page) {
        this.#page = page;
        this.#wayfinder = new Wayfinder(page.live);
        this.#layer = new RouteLayer(page.map.mapLibre, page.signal);
        this.#descriptions = new Descriptions(page);
        if (!page.share) this.#actions.share = null;
    }

    /** Opens directions, or those of an address: `request` is as of `parseRequest`. */
    open({ from = null, to = null, profile = profiles[0], ordinal = null, faults = new Map() }, { isNewEntry = false } = {}) {
        this.isOpen = true;
        this.#request = { from: from ?? (faults.has("from") || isSameEnd(to, this.#here) ? null : this.#here), to, profile };
        this.#faults = faults;
        this.#continue({ isNewEntry, isFirst: true, ordinal });
    }

    close() {
        if (!this.isOpen) return;
        this.isOpen = false;
        this.#endChoice();
        this.#computation = this.#answer = this.#element = null;
        this.#legs = [];
        this.#layer.clear();
        this.#page.map.keepClear("route", null);
        this.#wayfinder.forget();
        this.#page.showView(null);
        this.#page.markFloors(new Map());
        this.#page.writeAddress(null, {});
    }

    /** Takes what the user has picked while an end is chosen: a place, or a position `[longitude, latitude]` on the floor that is shown. */
    pick(place, at) {
        if (!this.#choosing || (!place && !at)) return;
        const end = place ? endOfPlace(place) : { longitude: at[0], latitude: at[1], ordinal: this.#page.floors.current.ordinal };
        this.#setEnd(this.#choosing, end);
    }

    /** The part of the way that is on a floor which is shown from now on. */
    showFloor() {
        if (this.isOpen) this.#draw();
    }

    /** The map has changed, or a floor was loaded. */
    changed() {
        if (this.isOpen && !this.#choosing && !this.#computation && this.#contents !== this.#wayfinder.contents) this.#compute();
    }

    /** What is closed, and until when, changes with the time. A way that was closed is looked for again when something opens. */
    #tick() {
        if (!this.#answer || this.#computation) return;
        if (this.#answer.reasons.some(({ until }) => until && new Date(until) <= new Date())) this.#compute();
        else if (this.#timeTexts !== this.#shownTimeTexts) this.#render();
    }

    retranslate() {
        if (!this.isOpen) return;
        if (this.#choosing) this.#render();
        else this.#compute();
    }

    /** Escape ends the choice of an end, or else directions. */
    escape() {
        if (this.#choosing && this.#request.from && this.#request.to) this.#choose(null);
        else this.#page.close();
    }

    // What is asked for

    /** Where the user is, as an end; null if it is not known. */
    get #here() {
        const { position } = this.#page;
        return position && { longitude: position.at[0], latitude: position.at[1], ordinal: position.ordinal ?? 0 };
    }

    #setEnd(which, end) {
        this.#request = { ...this.#request, [which]: end };
        this.#faults.delete(which);
        this.#continue();
    }

    #choose(which) {
        this.#endChoice();
        this.#choosing = which;
        if (which) {
            this.#computation = null;
            this.#page.clearSearch();
        }
        this.#render({ focuses: true });
        this.#draw();
        if (!which && !this.#answer) this.#compute({ showsLeg: true });
    }

    /** What was searched for to choose an end is not searched any more. */
    #endChoice() {
        if (!this.#choosing) return;
        this.#choosing = null;
        this.#page.clearSearch();
    }

    /** Asks for the end that is missing, or computes the way. */
    #continue({ isNewEntry = false, isFirst = false, ordinal = null } = {}) {
        const { from, to } = this.#request;
        this.#answer = null;
        this.#legs = [];
        this.#index = 0;
        this.#page.writeAddress(requestParameters(this.#request), { isNewEntry });
        const missing = !to && !from && !this.#faults.has("from") ? "to" : !from ? "from" : !to ? "to" : null;
        if (missing) return this.#choose(missing);
        const wasChoosing = this.#choosing !== null;
        this.#endChoice();
        this.#render({ focuses: isFirst || wasChoosing });
        return this.#compute({ showsLeg: true, ordinal });
    }

    // The answer

    async #compute({ showsLeg = false, ordinal = null } = {}) {
        const computation = (this.#computation = {});
        const isCurrent = () => this.#computation === computation && !this.#page.signal.aborted;
        await this.#loadFloors();
        if (!isCurrent()) return;
        const contents = this.#wayfinder.contents;
        const answer = await this.#wayfinder.answer(this.#request, { here: isSameEnd(this.#request.from, this.#here) });
        if (!isCurrent()) return;
        this.#computation = null;
        this.#contents = contents;
        this.#answer = answer;
        const { legs } = answer.alternative ?? answer;
        this.#legs = legs.map((leg) => ({ ...leg, floor: this.#page.floors.floorOf({ level: leg.level_id }) }))
            .map((leg) => ({ ...leg, floorName: this.#descriptions.levelName(leg.level_id) ?? leg.floor?.title ?? "" }));
        this.#index = Math.min(this.#index, Math.max(0, legs.length - 1));
        this.#render();
        this.#page.markFloors(this.#marks);
        // What a new revision changes is shown, and not read out while somebody reads the steps.
        if (showsLeg) this.#announce();
        // A link opens the step of the floor that it names, so that a reload shows the same.
        if (ordinal !== null) this.#index = Math.max(0, this.#legs.findIndex(({ floor }) => floor?.ordinal === ordinal));
        // What is said of the whole way stays in view at first.
        if (showsLeg && legs.length > 0) await this.#showLeg(this.#index, { scrolls: this.#index > 0 });
        else this.#draw();
    }

    /** A way may lead over any floor. Without a connection, the answer is that of the floors that are held. */
    async #loadFloors() {
        const { floors, signal } = this.#page;
        if (floors.missing.length === 0) return;
        const loading = floors.loadMissing().catch(() => {});
        if (navigator.onLine !== false) await Promise.race([loading, pause(loadingTime, signal).catch(() => {})]);
    }

    #announce() {
        const { status } = this.#answer;
        const sum = totalText(this.#answer);
        const text = status === "route" ? localized("directions.found", { total: sum, steps: localized("directions.steps", { n: this.#legs.length }) })
            : this.#element.querySelector(".directions-status")?.textContent;
        const closed = this.#element.querySelector(".directions-closed")?.textContent;
        if (text) announce([text, closed].filter(Boolean).join(" "));
    }

    async #showLeg(index, { scrolls = true } = {}) {
        this.#index = index;
        const leg = this.#legs[index];
        this.#render();
        if (leg.floor && leg.floor.ordinal !== this.#page.floors.current?.ordinal && !(await this.#page.goToFloor(leg.floor))) return;
        if (this.#legs[index] !== leg) return;
        this.#draw();
        this.#page.map.fitPositions(leg.geometry.coordinates);
        this.#layer.run(leg.geometry.coordinates);
        if (scrolls) this.#element.querySelector(`[data-leg="${index}"]`)?.scrollIntoView({ block: "nearest" });
    }

    // What is shown

    /** The floors that the way touches, by ordinal. */
    get #marks() {
        const floors = this.#legs.flatMap(({ floor, to_level_id: to }) => [floor, to && this.#page.floors.floorOf({ level: to })]).filter(Boolean);
        return new Map(floors.map((floor) => [floor.ordinal, localized("directions.onTheWay", { floor: floor.title })]));
    }

    #render({ focuses = false } = {}) {
        const { from, to } = this.#request;
        const problems = [...this.#faults].map(([name, text]) => localized(`directions.fault.${name}`, { text: isolated(text) }));
        const after = this.#choosing
            ? choosingView({
                which: this.#choosing, problems, hasHere: this.#here !== null,
                onHere: () => this.#setEnd(this.#choosing, this.#here), onCancel: () => this.escape(),
            })
            : answerView({
                request: this.#request, problems, answer: this.#answer, legs: this.#legs, index: this.#index,
                names: { from: this.#nameOf(from), to: this.#nameOf(to) }, closed: this.#closedText, missing: this.#page.floors.missing.map(({ title }) => title),
                reasons: this.#reasonTexts,
            }, this.#actions);
        this.#shownTimeTexts = this.#choosing ? null : this.#timeTexts;
        const isSameView = this.#element?.isConnected && this.#element.className === after.className;
        if (isSameView) replaceView(this.#element, after);
        this.#element = after;
        this.#page.showView({ element: after, isChoosing: this.#choosing !== null, onEscape: () => this.escape(), onTick: () => this.#tick() }, { isPlaced: isSameView });
        if (focuses) after.querySelector("#directions-title").focus({ preventScroll: true });
    }

    #actions = {
        close: () => this.#page.close(),
        share: () => this.#page.share(requestParameters(this.#request), [this.#request.from, this.#request.to].map((end) => this.#nameOf(end)).join(" → ")),
        choose: (which) => this.#choose(which),
        swap: () => {
            const { from, to } = this.#request;
            this.#request = { ...this.#request, from: to, to: from };
            this.#continue();
        },
        setProfile: (profile) => {
            this.#faults.delete("profile");
            this.#request = { ...this.#request, profile };
            this.#continue();
        },
        showLeg: (index) => {
            announce(this.#legs[index].instruction);
            return this.#showLeg(index);
        },
        showFeature: (id) => this.#showFeature(id),
    };

    /** The name of an end; null without one. */
    #nameOf(end) {
        if (!end) return null;
        if (isSameEnd(end, this.#here)) return localized("map.youAreHere");
        if (end.feature) return this.#descriptions.nameOf(end.feature) ?? localized("directions.missingPlace");
        const floor = this.#page.floors.all.find(({ ordinal }) => ordinal === end.ordinal);
        return floor ? localized("directions.point", { floor: floor.title }) : localized("directions.pointElsewhere");
    }

    /** That the destination is closed now, and when it opens; null if it is open, or if this is not known. */
    get #closedText() {
        const { to } = this.#request;
        const now = to?.feature ? openState({ hours: this.#descriptions.hoursOf(to.feature) }) : null;
        return now?.state === "closed" ? localized("directions.destinationClosed", { name: isolated(this.#nameOf(to)), state: now.text }) : null;
    }

    get #reasonTexts() {
        return this.#answer ? reasonTexts(this.#answer.reasons, {
            request: this.#request, describe: (id) => this.#descriptions.nameOnFloor(id), timeZone: this.#page.live.about.timeZone,
        }) : [];
    }

    /** What depends on the time. */
    get #timeTexts() {
        return JSON.stringify([this.#closedText, this.#reasonTexts]);
    }

    /** `{floor, point}` of an end, where there is no way; null if it is not on the map. */
    #placeOf(end) {
        if (!end) return null;
        if (end.feature) return this.#descriptions.placeOf(end.feature);
        return { floor: this.#page.floors.all.find(({ ordinal }) => ordinal === end.ordinal), point: [end.longitude, end.latitude] };
    }

    /** Shows where on the map a feature is that a reason names. */
    async #showFeature(id) {
        const { floor, point } = this.#descriptions.placeOf(id) ?? {};
        if (floor && floor.ordinal !== this.#page.floors.current?.ordinal && !(await this.#page.goToFloor(floor))) return;
        if (!point) return;
        this.#page.map.goTo({ point });
        this.#page.map.flash(new Set([id]));
    }

    #draw() {
        const ordinal = this.#page.floors.current?.ordinal;
        const legs = this.#choosing ? [] : this.#legs;
        const here = legs.map((leg, index) => ({ ...leg, index })).filter(({ floor }) => floor?.ordinal === ordinal);
        const lines = here.filter(({ mode }) => mode === "walk")
            .map(({ geometry, index }) => ({ coordinates: geometry.coordinates, isCurrent: index === this.#index }));
        const marks = here.filter(({ to_level_id: to }) => to).map((leg) => this.#changeMark(leg));
        // Where a leg begins that comes from another floor.
        for (const leg of here) {
            const before = legs[leg.index - 1];
            if (!before?.to_level_id || leg.to_level_id || before.floor?.ordinal === ordinal) continue;
            marks.push({ kind: "start", at: leg.geometry.coordinates[0], label: localized("directions.arrival", { floor: before.floor?.title ?? "" }) });
        }
        const { from, to } = this.#request;
        const [first, last] = [legs[0], legs.at(-1)];
        const lastFloor = last && (last.to_level_id ? this.#page.floors.floorOf({ level: last.to_level_id }) : last.floor);
        const start = first ? { floor: first.floor, point: first.geometry.coordinates[0] } : this.#placeOf(from);
        const end = last ? { floor: lastFloor, point: last.geometry.coordinates.at(-1) } : this.#placeOf(to);
        const add = (kind, name, place, of) => {
            if (place?.floor?.ordinal !== ordinal || !place.point) return;
            marks.push({ kind, at: place.point, label: `${localized(`directions.${name}`)}: ${this.#nameOf(of)}`, place: this.#shownPlace(of)?.id });
        };
        // Where the user is has a mark of its own.
        if (from && !isSameEnd(from, this.#here)) add("start", "start", start, from);
        if (to) add("end", "destination", end, to);
        const obstacles = this.#layer.show(lines, marks, { isDashed: Boolean(this.#answer?.alternative) });
        // What the steps name is found on the map, first that of the step that is described.
        const steps = here.toSorted((one, other) => Number(other.index === this.#index) - Number(one.index === this.#index));
        const landmarks = steps.flatMap((leg) => landmarksOf(leg, this.#page.floors.places)).map(({ id }) => id);
        this.#page.map.keepClear("route", { ...obstacles, landmarks });
    }

    /** The place of an end on the floor that is shown: itself, or that in it if the end is a unit; undefined if there is none. */
    #shownPlace({ feature }) {
        const { places } = this.#page.floors;
        return feature && (places.find(({ id }) => id === feature) ?? places.find(({ unit }) => unit === feature));
    }

    /** The mark where the way leaves the floor. It leads to the next step. */
    #changeMark({ geometry, floor, to_level_id: to, index }) {
        const target = this.#page.floors.floorOf({ level: to });
        const next = Math.min(index + 1, this.#legs.length - 1);
        return {
            kind: "change", at: geometry.coordinates[0], label: localized("directions.changeTo", { floor: target?.title ?? "" }),
            text: { icon: (target?.ordinal ?? 0) < floor.ordinal ? "down" : "up", floor: target?.name ?? "" }, act: () => this.#actions.showLeg(next),
        };
    }
}
